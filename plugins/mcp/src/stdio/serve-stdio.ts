import type { Readable, Writable } from 'node:stream'
import { guarded } from '@minions/core/plugin'
import type { Caller } from '@minions/server/plugin'
import type { DoorServer } from '../door/door-server.js'
import type { Profile } from '../door/profile.js'
import { mcpError } from '../errors.js'
import type { Mcp } from '../mcp.js'
import { forwardChange } from '../resources/forward-changes.js'

/** How an app is served over standard input and output. */
export interface StdioOptions extends Profile {
  /** The caller; `local` by default. */
  readonly by?: string | undefined
  /** The tenant of the calls. */
  readonly tenant?: string | undefined
  readonly input?: Readable
  readonly output?: Writable
}

/** A client that is served. */
export interface ServedConnection {
  /** Resolves when the client has disconnected. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Maximum size in bytes of a message: a record of the largest size with its envelope. */
const MOST_BYTES = 17 * 1024 * 1024

/**
 * Serves the one client at the other end of standard input and output, in either revision of the protocol. Nothing else
 * may be written to standard output in the meantime. Throws `CAPABILITY_MISSING` and `VALIDATION_FAILED`.
 */
export const serveStdio = guarded('serveStdio', serveStdioUnchecked)

async function serveStdioUnchecked(app: { readonly mcp: Mcp }, options: StdioOptions = {}): Promise<ServedConnection> {
  const { mcp } = app
  if (mcp?.door === undefined) {
    throw mcpError('CAPABILITY_MISSING', 'The app cannot be served: add mcp() of @minions/mcp to its `plugins`.')
  }
  const { by = 'local', tenant, tools, access, input = process.stdin, output = process.stdout } = options
  const profile = mcp.profileOf({ tools, access })
  const caller: Caller = { by, ...(tenant !== undefined && { tenant }) }
  const { serveStdio: serveOfficial, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
  let current: { readonly server: DoorServer; readonly isModern: boolean } | undefined
  const unsubscribe = mcp.watch.subscribe(caller, (event) => {
    if (current) forwardChange(current.server, event, current.isModern)
  })
  const { transport, ended } = closingTransport(new StdioServerTransport(input, output, { maxBufferSize: MOST_BYTES }))
  const connection = serveOfficial(
    async (context) => {
      const server = await mcp.door(caller, profile, context)
      current = { server, isModern: context.era === 'modern' }
      return server
    },
    {
      transport,
      onerror: (error) => mcp.logger.debug('An MCP client sent a message that cannot be answered.', { error }),
    },
  )
  void ended.then(unsubscribe)
  return {
    ended,
    async close() {
      unsubscribe()
      await connection.close()
    },
  }
}

/** A transport that tells when it was closed: by the client, or because of a message that is too large. */
function closingTransport<T extends { close(): Promise<void> }>(transport: T) {
  const close = transport.close.bind(transport)
  const ended = new Promise<void>((resolve) => {
    transport.close = () => close().finally(resolve)
  })
  return { transport, ended }
}
