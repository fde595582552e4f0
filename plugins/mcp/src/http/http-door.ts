import type { Caller } from '@minions/server/plugin'
import { isLegacyRequest } from '@modelcontextprotocol/server'
import type { Profile } from '../door/profile.js'
import type { Mcp } from '../mcp.js'
import { ModernHandlers } from './modern-handlers.js'
import { profileOfUrl } from './profile-of.js'
import { Sessions } from './sessions.js'

/** Maximum size in bytes of a body: a record of the largest size with its envelope. */
export const MOST_BODY_BYTES = 17 * 1024 * 1024

/** A caller with a profile: callers that share one share handlers and sessions, and no one else does. */
export interface Principal {
  readonly id: string
  readonly caller: Caller
  readonly profile: Profile
}

/** Reads the body once for all readers. Invalid JSON is left to the protocol, which has an answer for it. */
async function readBody(request: Request): Promise<{ readonly plain: Request; readonly body?: unknown }> {
  if (request.method !== 'POST') return { plain: request }
  const { url, method, headers, signal } = request
  const text = await request.text()
  const plain = new Request(url, { method, headers, signal, body: text })
  try {
    return { plain, body: JSON.parse(text) as unknown }
  } catch {
    return { plain }
  }
}

/** Both revisions of the protocol over HTTP. */
export class HttpDoor {
  readonly #mcp: Mcp
  readonly #modern: ModernHandlers
  readonly #sessions: Sessions

  constructor(mcp: Mcp) {
    this.#mcp = mcp
    this.#modern = new ModernHandlers(mcp)
    this.#sessions = new Sessions(mcp)
  }

  /** Answers a request of a caller whose key was checked. Throws `VALIDATION_FAILED` for a profile that is not one. */
  async answer(request: Request, caller: Caller): Promise<Response> {
    const profile = this.#mcp.profileOf(profileOfUrl(request.url))
    const { key, by, tenant } = caller
    const principal = { id: JSON.stringify([key ?? null, by, tenant ?? null, profile]), caller, profile }
    const { plain, body } = await readBody(request)
    const isLegacy = await isLegacyRequest(plain, body, { maxRequestBodySize: MOST_BODY_BYTES })
    return isLegacy ? this.#sessions.answer(plain, principal, body) : this.#modern.answer(plain, principal, body)
  }

  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#sessions.close()])
  }
}
