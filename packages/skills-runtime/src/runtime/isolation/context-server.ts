import { MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { isRecord } from '@minions/core/json'
import type { SkillContext } from '../../skills/definition/skill-context.js'
import { REMOTE_METHODS, type ThreadGreeting, type ToHost, type ToWorker, type WorkerOutcome } from './protocol.js'
import { transferError } from './transferred-error.js'

interface Served {
  readonly context: SkillContext
  readonly begin: () => void
  /** Where to report an abort, once the worker asked for it. */
  listener?: MessagePort
  aborted?: { readonly reason: unknown }
}

/**
 * Carries out in the host what skills in workers call on their contexts. Nothing else in the host is reachable. Threads
 * keep their ports: creating one per run takes longer than most skills.
 */
export class ContextServer {
  readonly #ports = new Map<number, MessagePort>()
  readonly #runs = new Map<number, Served>()
  #lastRun = 0

  /** Takes the port of a new thread; anything else that a thread may send is ignored. */
  greet(message: unknown): void {
    if (!isGreeting(message)) return
    const { threadId, port } = message
    this.#ports.set(threadId, port)
    port.on('message', (said: ToHost) => this.#handle(said, port))
    port.on('close', () => this.#ports.delete(threadId))
    // The run keeps the process alive, not the port.
    port.unref()
  }

  /**
   * Serves a context to the run with the returned number from now on. `begin` is called if the thread reports its
   * start.
   */
  open(context: SkillContext, begin: () => void): number {
    const run = ++this.#lastRun
    this.#runs.set(run, { context, begin })
    return run
  }

  abort(run: number, reason: unknown): void {
    const served = this.#runs.get(run)
    if (served === undefined) return
    served.aborted = { reason }
    if (served.listener !== undefined) served.listener.postMessage(abortMessage(run, reason))
  }

  /**
   * Finishes what the worker requested before it ended, and nothing from then on. A worker that died has no outcome.
   */
  close(run: number, outcome: Pick<WorkerOutcome, 'spokenIn'> | undefined): void {
    for (const [threadId, port] of this.#ports) {
      if (outcome === undefined || outcome.spokenIn === threadId) this.#catchUp(port)
    }
    this.#runs.delete(run)
  }

  #catchUp(port: MessagePort): void {
    for (;;) {
      const waiting = receiveMessageOnPort(port)
      if (waiting === undefined) return
      this.#handle(waiting.message, port)
    }
  }

  #handle(message: ToHost, port: MessagePort): void {
    const served = this.#runs.get(message.run)
    if (served === undefined) return
    const { context } = served
    if (message.type === 'call') {
      void answer(context, message, port)
    } else if (message.type === 'began') {
      served.begin()
    } else if (message.type === 'listen') {
      served.listener = port
      if (served.aborted !== undefined) port.postMessage(abortMessage(message.run, served.aborted.reason))
    } else {
      // The attempt may be over; then the call has no effect, and the worker cannot be told.
      try {
        if (message.type === 'progress') context.progress(message.fraction, message.note)
        else context.log[message.level](message.message, message.fields as never)
      } catch {}
    }
  }
}

async function answer(context: SkillContext, call: Extract<ToHost, { type: 'call' }>, port: MessagePort) {
  const { run, id, method, args } = call
  try {
    if (!REMOTE_METHODS.includes(method)) throw new TypeError(`A context has no method "${String(method)}".`)
    const value = await (context[method] as (...values: unknown[]) => Promise<unknown>).apply(context, [...args])
    port.postMessage({ type: 'returned', run, id, value } satisfies ToWorker)
  } catch (error) {
    port.postMessage({ type: 'threw', run, id, error: transferError(error) } satisfies ToWorker)
  }
}

function abortMessage(run: number, reason: unknown): ToWorker {
  return { type: 'abort', run, reason: transferError(reason) }
}

function isGreeting(message: unknown): message is ThreadGreeting {
  const type: ThreadGreeting['type'] = 'minions-skills-thread'
  return isRecord(message) && message.type === type && message.port instanceof MessagePort
}
