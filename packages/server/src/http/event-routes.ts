import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { serverError } from '../errors.js'
import { eventFilter } from '../events/event-filter.js'
import { EventHub } from '../events/event-hub.js'
import { EventListener, type EventSink } from '../events/event-listener.js'
import type { ServedApp } from '../served-app.js'
import type { Router } from './environment.js'
import { problemOf, toRefusal } from './problem.js'

/** Milliseconds between two signs of life on a stream on which nothing happens. */
const SIGN_OF_LIFE = 15_000

/** Milliseconds that a listener may take to read what was sent. */
const LONGEST_READ = 60_000

const encoder = new TextEncoder()

/** The open event streams of a handler. */
export interface EventStreams {
  /** Ends them; their listeners come back with their cursors, here or elsewhere. */
  end(): void
}

/**
 * `GET /api/events`: what is committed to the store, by whichever process, as server-sent events. A listener goes on where
 * it was with `Last-Event-ID`. One whose key is revoked or expires is cut off.
 */
export function eventRoutes(router: Router, app: ServedApp, streamsPerKey: number): EventStreams {
  const open = new Map<string, Set<EventListener>>()
  const expel = async (key: string) => {
    if (!open.has(key) || (await app.server.keys.isUsable(key))) return
    for (const listener of open.get(key) ?? []) listener.end(problemEvent(keyEnded()))
  }
  const hub = new EventHub(app, (key) => {
    expel(key).catch((error: unknown) => app.server.logger.error('A key could not be checked.', { error }))
  })

  router.get('/api/events', async (context) => {
    const caller = context.get('caller')
    const id = caller.key ?? ''
    if ((open.get(id)?.size ?? 0) >= streamsPerKey) throw tooManyStreams(streamsPerKey)
    const parameters = new URL(context.req.raw.url).searchParams
    const wants = eventFilter(app, hub.events.sources, caller, parameters)
    const since = context.req.header('last-event-id') ?? parameters.get('since') ?? 'now'
    if (since !== 'now') await hub.check(since)
    return streamSSE(context, async (stream) => {
      const sink = new StreamSink(stream)
      const listener = new EventListener(wants, sink)
      const own = open.get(id) ?? new Set()
      open.set(id, own.add(listener))
      const alive = setInterval(() => {
        if (caller.expiresAt !== undefined && Date.parse(caller.expiresAt) <= Date.now())
          listener.end(problemEvent(keyEnded()))
        else if (sink.isStuck) listener.end()
        else if (listener.isIdle) void sink.write(encoder.encode(`id: ${listener.ahead ?? hub.cursor}\n\n`))
      }, SIGN_OF_LIFE)
      try {
        const cursor = await hub.join(listener, since)
        await sink.write(encoder.encode(`retry: 1000\nid: ${cursor}\n\n`))
        hub.release(listener, cursor)
        await sink.closed
      } catch (error) {
        await sink.write(problemEvent(error))
      } finally {
        clearInterval(alive)
        hub.leave(listener)
        own.delete(listener)
        if (own.size === 0) open.delete(id)
      }
    })
  })
  return hub
}

/** A stream as the place where events go. */
class StreamSink implements EventSink {
  /** Resolves when the stream has ended, from either side. */
  readonly closed: Promise<void>
  readonly #stream: SSEStreamingApi
  #close = () => {}
  #writingSince: number | undefined

  constructor(stream: SSEStreamingApi) {
    this.#stream = stream
    this.closed = new Promise((resolve) => {
      this.#close = resolve
      stream.onAbort(() => resolve())
    })
  }

  /** True for a listener that does not read. It is given up; what it missed is there when it comes back. */
  get isStuck(): boolean {
    return this.#writingSince !== undefined && performance.now() - this.#writingSince > LONGEST_READ
  }

  /** Never waits longer than the stream is open: a write that is given up resolves when the stream is closed. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#writingSince = performance.now()
    await this.#stream.write(bytes)
    this.#writingSince = undefined
  }

  end(message?: Uint8Array): void {
    if (message) void this.#stream.write(message)
    this.#close()
  }
}

function problemEvent(error: unknown): Uint8Array {
  return encoder.encode(`event: problem\ndata: ${JSON.stringify(problemOf(toRefusal(error), 'none'))}\n\n`)
}

function keyEnded(): Error {
  return serverError('UNAUTHENTICATED', 'The key was revoked or has expired.')
}

function tooManyStreams(most: number): Error {
  return serverError('RATE_LIMITED', `The key has ${most} open streams, and may not have more; end one first.`)
}
