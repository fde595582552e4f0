import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { SkillContext } from '../skill/skill-context.js'
import { REMOTE_METHODS, type ToHost, type ToWorker } from './protocol.js'
import { transferError } from './transferred-error.js'

/** The host's side of the context of a skill in a worker. */
export interface ServedContext {
  /** Tells the worker that its time is up. */
  abort(reason: unknown): void
  /** Does what the worker asked for before it ended, and nothing from then on. */
  close(): void
}

/** Does in the host what a worker asks of its context. Nothing else in the host can be reached through the port. */
export function serveContext(port: MessagePort, context: SkillContext): ServedContext {
  const post = (message: ToWorker) => port.postMessage(message)

  const call = async ({ id, method, args }: Extract<ToHost, { type: 'call' }>) => {
    try {
      if (!REMOTE_METHODS.includes(method)) throw new TypeError(`A context has no method "${String(method)}".`)
      const value = await (context[method] as (...values: unknown[]) => Promise<unknown>).apply(context, [...args])
      post({ type: 'returned', id, value })
    } catch (error) {
      post({ type: 'threw', id, error: transferError(error) })
    }
  }

  const handle = (message: ToHost) => {
    if (message.type === 'call') {
      void call(message)
    } else {
      // The attempt may be over; then nobody is interested any more, and the worker cannot be told.
      try {
        if (message.type === 'progress') context.progress(message.fraction, message.note)
        else context.log[message.level](message.message, message.fields as never)
      } catch {}
    }
  }

  port.on('message', handle)
  return {
    abort: (reason) => post({ type: 'abort', reason: transferError(reason) }),
    close() {
      for (;;) {
        const waiting = receiveMessageOnPort(port)
        if (waiting === undefined) break
        handle(waiting.message)
      }
      port.close()
    },
  }
}
