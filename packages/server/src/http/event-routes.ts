import { systemTimers } from '@minions/core/coordination'
import { serverError } from '../errors.js'
import { eventFilter, hasExpired } from '../events/event-filter.js'
import { EventHub } from '../events/event-hub.js'
import { EventListener } from '../events/event-listener.js'
import type { ServedApp } from '../served-app.js'
import type { Router } from './environment.js'
import { problemOf, toRefusal } from './problem.js'
import { StreamSink } from './stream-sink.js'

/** Milliseconds between two heartbeats on an idle stream. */
const SIGN_OF_LIFE = 15_000

/** Chunked, which also prevents buffering for compression. */
const EVENT_STREAM = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'Transfer-Encoding': 'chunked',
}

const encoder = new TextEncoder()

/** The open event streams of a handler. */
export interface EventStreams {
  /** Ends them; their listeners reconnect with their cursors, here or elsewhere. */
  end(): void
}

/**
 * `GET /api/events`: every commit to the store, by any process, as server-sent events. A listener continues with
 * `Last-Event-ID`. One whose key is revoked or expires is cut off.
 */
export function eventRoutes(
  router: Router,
  app: ServedApp,
  streamsPerKey: number,
  isStopping: () => boolean,
): EventStreams {
  const open = new Map<string, Set<EventListener>>()
  let isOver = false
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
    const parameters = new URL(context.req.raw.url).searchParams
    const wants = eventFilter(app, hub.events.sources, caller, parameters)
    const since = context.req.header('last-event-id') ?? parameters.get('since') ?? 'now'
    if (since !== 'now') await hub.check(since)
    // HEAD requests get no body, so no one would read a stream.
    if (context.req.method === 'HEAD') return new Response(null, { headers: EVENT_STREAM })
    if (isOver) throw serverError('STOPPING', 'The server is about to stop; listen to another one.')
    // Nothing is awaited from here until the stream is counted, or too many concurrent ones would be admitted.
    if ((open.get(id)?.size ?? 0) >= streamsPerKey) {
      throw serverError('RATE_LIMITED', `The key has ${streamsPerKey} open streams, the maximum; close one first.`)
    }
    const sink = new StreamSink()
    const serve = async () => {
      const listener = new EventListener(wants, sink)
      const own = open.get(id) ?? new Set()
      open.set(id, own.add(listener))
      const endExpired = () => {
        if (hasExpired(caller)) listener.end(problemEvent(keyEnded()))
      }
      const { expiresAt } = caller
      // A timer may be a millisecond early.
      const cancelExpiry =
        expiresAt === undefined ? undefined : systemTimers.set(Date.parse(expiresAt) - Date.now() + 1, endExpired)
      const alive = setInterval(() => {
        endExpired()
        if (sink.isStuck) listener.end()
        else if (listener.isIdle) sink.write(encoder.encode(`id: ${listener.ahead ?? hub.cursor}\n\n`))
      }, SIGN_OF_LIFE)
      try {
        const cursor = await hub.join(listener, since)
        // The hub announces keys that are revoked from now on.
        if (caller.key !== undefined && !(await app.server.keys.isUsable(caller.key))) throw keyEnded()
        // A stream that no one has started reading is never cancelled either.
        if (context.env.connection.isOpen?.() === false) return
        await sink.write(encoder.encode(`retry: 1000\nid: ${cursor}\n\n`))
        hub.release(listener, cursor)
        await sink.closed
      } catch (error) {
        listener.end(problemEvent(error))
      } finally {
        clearInterval(alive)
        cancelExpiry?.()
        hub.leave(listener)
        own.delete(listener)
        if (own.size === 0) open.delete(id)
      }
    }
    void serve()
    return new Response(sink.body, { headers: EVENT_STREAM })
  })
  return {
    end() {
      isOver = isStopping()
      for (const listener of [...open.values()].flatMap((own) => [...own])) listener.end()
    },
  }
}

function problemEvent(error: unknown): Uint8Array {
  return encoder.encode(`event: problem\ndata: ${JSON.stringify(problemOf(toRefusal(error), 'none'))}\n\n`)
}

function keyEnded(): Error {
  return serverError('UNAUTHENTICATED', 'The key was revoked or has expired.')
}
