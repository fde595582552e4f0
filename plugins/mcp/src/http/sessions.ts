import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Mcp } from '../mcp.js'
import { forwardChange } from '../resources/forward-changes.js'
import { endWithKey } from './end-with-key.js'
import { MOST_BODY_BYTES, type Principal } from './http-door.js'

/** Maximum number of sessions of one principal; beyond, the one that was not used for longest ends. */
const MOST_SESSIONS = 100

/** Milliseconds after which a session that is not used ends. */
const IDLE = 30 * 60 * 1000

interface Session {
  readonly principal: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
  end(): void
}

/** The revision 2025-11-25 and those before it: a handshake begins a session, whose server lives as long. */
export class Sessions {
  readonly #mcp: Mcp
  readonly #sessions = new Map<string, Session>()
  #sweeping: NodeJS.Timeout | undefined

  constructor(mcp: Mcp) {
    this.#mcp = mcp
  }

  async answer(request: Request, principal: Principal, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#begin(request, principal, parsedBody)
    const session = this.#sessions.get(id)
    if (session?.principal !== principal.id) return sessionNotFound()
    session.usedAt = Date.now()
    return session.transport.handleRequest(request, { parsedBody })
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    for (const session of this.#sessions.values()) session.end()
  }

  async #begin(request: Request, principal: Principal, parsedBody: unknown): Promise<Response> {
    const { caller, profile } = principal
    const server = await this.#mcp.door(caller, profile, { era: 'legacy', requestInfo: request })
    const ending: (() => void)[] = []
    const end = () => {
      for (const each of ending.splice(0)) each()
      void server.close()
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MOST_BODY_BYTES,
      onsessioninitialized: (id) => {
        const session: Session = { principal: principal.id, transport, usedAt: Date.now(), end }
        this.#sessions.set(id, session)
        const watched = endWithKey(caller, this.#mcp.server, end)
        const unsubscribe = this.#mcp.watch.subscribe(
          caller,
          (event) => forwardChange(server, event, false),
          () => watched.check(),
        )
        ending.push(watched.stop, unsubscribe, () => this.#sessions.delete(id))
        this.#endOldest(principal.id)
        this.#sweeping ??= setInterval(() => this.#sweep(), IDLE / 10).unref()
      },
      onsessionclosed: end,
    })
    await server.connect(transport)
    const response = await transport.handleRequest(request, { parsedBody })
    // A request that was not a handshake began no session, and nothing of it stays.
    if (transport.sessionId === undefined) await server.close()
    return response
  }

  #endOldest(principal: string): void {
    const own = [...this.#sessions.values()].filter((session) => session.principal === principal)
    if (own.length <= MOST_SESSIONS) return
    own.reduce((oldest, session) => (session.usedAt < oldest.usedAt ? session : oldest)).end()
  }

  #sweep(): void {
    const since = Date.now() - IDLE
    for (const session of this.#sessions.values()) if (session.usedAt < since) session.end()
  }
}

function sessionNotFound(): Response {
  const error = { code: -32001, message: 'The session does not exist or has ended; start a new one.' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
