import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { guarded } from '@minions/core/plugin'
import { serverError } from '../errors.js'
import { requestHandler } from '../http/create-handler.js'
import type { HandlerOptions } from '../http/options.js'
import { problemResponse } from '../http/problem.js'
import { isLoopback, LOOPBACK_HOSTS } from '../http/same-host.js'
import type { ServedApp } from '../served-app.js'
import { NodeConnection } from './node-connection.js'
import { refuseConnection, refuseTunnel } from './refuse-connection.js'
import { stoppable } from './stop-server.js'

/** Where and how to serve. */
export interface ServeOptions extends HandlerOptions {
  /** Address to listen on; by default 127.0.0.1, which only this machine can reach. */
  readonly host?: string
  /** Port to listen on; 4747 by default, 0 for any that is free. */
  readonly port?: number
  /**
   * Milliseconds from `/api/ready` failing until the server stops listening, for load balancers to notice; 0 by
   * default.
   */
  readonly drainTime?: number
  /** Milliseconds that open requests and runs have to finish when the server stops; 30,000 by default. */
  readonly stopTimeout?: number
}

/** A listening server. */
export interface RunningServer {
  readonly url: string
  readonly port: number
  /** Turns `/api/ready` off, accepts no new connections, and resolves when open requests and runs have ended. */
  stop(): Promise<void>
}

/** Limits of the connection: a client that sends its headers or body too slowly, or too much of them, is cut off. */
const CONNECTIONS = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  // Node would refuse without a problem document; a request without a host is refused here instead.
  requireHostHeader: false,
}

/** Milliseconds after which an idle connection is cut, such as that of a listener that does not read. */
const LONGEST_SILENCE = 120_000

/** Serves an app on Node. Throws `CANNOT_LISTEN` when the address or port is not available. */
export const serve = guarded('serve', async (app: ServedApp, options: ServeOptions = {}): Promise<RunningServer> => {
  const { host = '127.0.0.1', port = 4747, drainTime = 0, stopTimeout = 30_000, ...settings } = options
  const isLocal = isLoopback(host) || LOOPBACK_HOSTS.includes(host)
  if (settings.withoutKey && !isLocal) {
    throw serverError('VALIDATION_FAILED', `Serving without a key is possible on 127.0.0.1 only, not on "${host}".`)
  }
  const handler = requestHandler(app, settings)
  const { logger } = app.server
  const listener = getRequestListener(
    (request, { incoming, outgoing }) =>
      handler.answer(request, new NodeConnection(incoming as HttpBindings['incoming'], outgoing)),
    { errorHandler: (error) => problemResponse(unreadable(error), 'none', logger) },
  )
  const server = createServer(CONNECTIONS, listener)
  server.setTimeout(LONGEST_SILENCE)
  server.on('clientError', refuseConnection)
  server.on('connect', refuseTunnel)
  // Node would refuse unknown expectations without a problem document; a server may ignore them.
  server.on('checkExpectation', listener)
  const stopServer = stoppable(server, { drainTime, timeout: stopTimeout, endStreams: handler.endStreams })
  await listen(server, host, port)
  const bound = (server.address() as AddressInfo).port
  let stopping: Promise<void> | undefined
  const stopAll = async () => {
    const deadline = performance.now() + drainTime + stopTimeout
    await stopServer()
    // Only now can no request begin another one.
    await app.server.runs.settle(Math.max(0, deadline - performance.now()))
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    stop() {
      handler.stop()
      stopping ??= stopAll()
      return stopping
    },
  }
})

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const remedy = cause.code === 'EADDRINUSE' ? 'it is in use, choose another one with `port`' : cause.message
      const message = `The server cannot listen on port ${port} of ${host}: ${remedy}.`
      reject(serverError('CANNOT_LISTEN', message, { details: { host, port }, cause }))
    })
    server.listen(port, host, () => resolve())
  })
}

/** A request that Node accepts but `Request` does not, such as one with a malformed `Host`. */
function unreadable(cause: unknown): Error {
  return serverError('BAD_REQUEST', 'The request cannot be understood: its target or its `Host` is malformed.', {
    cause,
  })
}
