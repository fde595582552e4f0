import { createMcpHandler, type McpHttpHandler, type ServerEventBus } from '@modelcontextprotocol/server'
import type { Mcp } from '../mcp.js'
import { endWithKey } from './end-with-key.js'
import { MOST_BODY_BYTES, type Principal } from './http-door.js'

/** Maximum number of principals whose handlers are kept; one that is dropped is created again with its next request. */
const MOST_HANDLERS = 1000

/** Maximum number of streams of changes that one principal may have open. */
const MOST_STREAMS = 100

interface Kept {
  readonly handler: McpHttpHandler
  /** Open streams of changes. */
  streams: number
}

/** The revision 2026-07-28: every request stands alone, and a stream of changes is a request that stays open. */
export class ModernHandlers {
  readonly #mcp: Mcp
  readonly #kept = new Map<string, Kept>()

  constructor(mcp: Mcp) {
    this.#mcp = mcp
  }

  answer(request: Request, principal: Principal, parsedBody: unknown): Promise<Response> {
    return this.#keptFor(principal).handler.fetch(request, { parsedBody })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.values()].map(({ handler }) => handler.close()))
    this.#kept.clear()
  }

  #keptFor(principal: Principal): Kept {
    const known = this.#kept.get(principal.id)
    if (known) {
      this.#kept.delete(principal.id)
      this.#kept.set(principal.id, known)
      return known
    }
    const kept: Kept = { streams: 0, handler: this.#create(principal, () => kept) }
    this.#kept.set(principal.id, kept)
    this.#dropOldest()
    return kept
  }

  #create(principal: Principal, keptOf: () => Kept): McpHttpHandler {
    const { caller, profile } = principal
    return createMcpHandler((context) => this.#mcp.door(caller, profile, context), {
      legacy: 'reject',
      bus: this.#busOf(principal, keptOf),
      maxSubscriptions: MOST_STREAMS,
      maxRequestBodySize: MOST_BODY_BYTES,
      onerror: (error) => this.#mcp.logger.debug('A request of an MCP client was refused.', { error }),
    })
  }

  /** Changes that the caller may hear of, for as long as its key holds. */
  #busOf({ id, caller }: Principal, keptOf: () => Kept): ServerEventBus {
    return {
      publish() {
        // The change feed is the only source.
      },
      subscribe: (listener) => {
        const kept = keptOf()
        const end = () => {
          if (this.#kept.get(id) === kept) this.#kept.delete(id)
          void kept.handler.close()
        }
        const watched = endWithKey(caller, this.#mcp.server, end)
        const unsubscribe = this.#mcp.watch.subscribe(caller, listener, () => watched.check())
        kept.streams++
        let isOpen = true
        return () => {
          if (!isOpen) return
          isOpen = false
          kept.streams--
          watched.stop()
          unsubscribe()
        }
      },
    }
  }

  /** Drops the handler that was not used for longest and has no stream open. */
  #dropOldest(): void {
    if (this.#kept.size <= MOST_HANDLERS) return
    for (const [id, { streams }] of this.#kept) {
      if (streams > 0) continue
      this.#kept.delete(id)
      return
    }
  }
}
