import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds between two checks for idle connections. */
const POLL_MS = 20

export interface StopOptions {
  readonly drainTime: number
  readonly timeout: number
  /** Ends responses that would not end on their own. */
  readonly endStreams: () => void
}

/**
 * Returns the function that stops a server: after `drainTime` it accepts no new connections, closes idle ones, and
 * waits for the requests on the others. Connections still open after `timeout` belong to clients that do not read, and
 * are cut.
 */
export function stoppable(server: Server, { drainTime, timeout, endStreams }: StopOptions): () => Promise<void> {
  // Clients open connections in advance, which the server does not count as idle before their first request.
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))

  return async () => {
    if (drainTime > 0) await wait(drainTime)
    endStreams()
    let isClosed = false
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        isClosed = true
        resolve()
      })
    })
    const deadline = performance.now() + timeout
    while (!isClosed && performance.now() < deadline) {
      server.closeIdleConnections()
      for (const socket of unused) socket.destroy()
      await Promise.race([closed, wait(POLL_MS)])
    }
    server.closeAllConnections()
    await closed
  }
}
