// Runs in worker threads. It imports as little as it can: every new thread loads all of it.
import type { WorkerOutcome, WorkerTask } from './protocol.js'
import { RemoteContext } from './remote-context.js'
import { transferError } from './transferred-error.js'

type Execute = (params: Record<string, unknown>, context: RemoteContext) => unknown

/** The functions this thread has run. Importing a module that is there already takes longer than most skills. */
const known = new Map<string, Execute>()

/** Runs one skill. Whatever the code throws is an outcome; only a thread that dies leaves none. */
export default async function runSkill(task: WorkerTask): Promise<WorkerOutcome> {
  try {
    const execute = known.get(`${task.exportName} ${task.module}`) ?? (await find(task))
    const value: unknown = await execute(task.params, new RemoteContext(task))
    // What cannot be copied would kill the thread when it is posted.
    return { ok: true, value: isPlain(value) ? value : structuredClone(value) }
  } catch (error) {
    return { ok: false, error: transferError(error) }
  }
}

async function find({ module, exportName }: WorkerTask): Promise<Execute> {
  const exports: Record<string, unknown> = await import(module)
  const execute = Object.hasOwn(exports, exportName) ? exports[exportName] : undefined
  if (typeof execute !== 'function') throw new Error(`The module ${module} exports no function "${exportName}".`)
  known.set(`${exportName} ${module}`, execute as Execute)
  return execute as Execute
}

/** Whether a value is nothing but plain data, which can be posted for certain. */
function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol'
  const prototype = Object.getPrototypeOf(value)
  if (depth > 100 || !(Array.isArray(value) || prototype === Object.prototype)) return false
  return Object.values(value).every((child) => isPlain(child, depth + 1))
}
