// Runs in worker threads. It imports as little as possible, since every new thread loads all of it.
import { MessageChannel, parentPort, threadId } from 'node:worker_threads'
import { HostLink } from './host-link.js'
import type { ThreadGreeting, ToHost, ToWorker, WorkerOutcome, WorkerTask } from './protocol.js'
import { RemoteContext } from './remote-context.js'
import { transferError } from './transferred-error.js'

type Execute = (params: Record<string, unknown>, context: RemoteContext) => unknown

/** The functions this thread has run. Even a cached import takes longer than most skills. */
const known = new Map<string, Execute>()

/** One skill runs at a time; leftovers of an earlier one have their own link, which the host ignores. */
let current: HostLink | undefined
const port = connect()

/** Runs one skill. Whatever the code throws is an outcome; only a thread that dies leaves none. */
export default async function runSkill(task: WorkerTask): Promise<WorkerOutcome> {
  const outcome = await settle(task)
  // Node reports unhandled rejections once the microtasks are done. Until then the run is not over, or the thread would
  // die of them while the next skill runs in it.
  await new Promise((resolve) => setImmediate(resolve))
  return outcome
}

async function settle(task: WorkerTask): Promise<WorkerOutcome> {
  const link = new HostLink(task.run, port)
  current = link
  if (task.tellsBeginning) port.postMessage({ type: 'began', run: task.run } satisfies ToHost)
  const spokenIn = () => (link.hasSpoken ? threadId : undefined)
  try {
    const execute = known.get(`${task.exportName} ${task.module}`) ?? (await find(task))
    const value: unknown = await execute(task.params, new RemoteContext(task, link))
    // Posting an uncloneable value would kill the thread.
    return { ok: true, value: isPlain(value) ? value : structuredClone(value), spokenIn: spokenIn() }
  } catch (error) {
    return { ok: false, error: transferError(error), spokenIn: spokenIn() }
  }
}

/** Sends the host one end of a channel and listens at the other. */
function connect() {
  const { port1, port2 } = new MessageChannel()
  port1.on('message', (message: ToWorker) => current?.hear(message))
  port1.unref()
  const greeting: ThreadGreeting = { type: 'minions-skills-thread', threadId, port: port2 }
  parentPort?.postMessage(greeting, [port2])
  return port1
}

async function find({ module, exportName }: WorkerTask): Promise<Execute> {
  const exports: Record<string, unknown> = await import(module)
  const execute = Object.hasOwn(exports, exportName) ? exports[exportName] : undefined
  if (typeof execute !== 'function') throw new Error(`The module ${module} exports no function "${exportName}".`)
  known.set(`${exportName} ${module}`, execute as Execute)
  return execute as Execute
}

/** True if a value is plain data, which can certainly be posted. */
function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol'
  const prototype = Object.getPrototypeOf(value)
  if (depth > 100 || !(Array.isArray(value) || prototype === Object.prototype)) return false
  return Object.values(value).every((child) => isPlain(child, depth + 1))
}
