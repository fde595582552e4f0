import { SKILL_LIMITS } from '@minions/skills-runtime'
import type { Offer } from './offered-skills.js'
import type { ServerConnection } from './server-connection.js'
import { SERVER_DEFAULTS, type ServerOptions } from './server-options.js'

/** The context of an offer of a server. */
export interface OfferParts {
  readonly server: string
  readonly options: ServerOptions
  readonly connection: Pick<ServerConnection, 'call' | 'readSkill'>
}

/**
 * Attributes of every skill of another server. The server's description is one line for readers, marked as such: it
 * determines neither who may run the skill nor how often it is retried.
 */
export function described(subject: string, words: string, { server, options }: OfferParts) {
  const { timeout = SERVER_DEFAULTS.timeout, maxRetries = SERVER_DEFAULTS.maxRetries } = options
  const line = words.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
  const text = `${subject} of the MCP server "${server}", which says of it: ${line}`
  return {
    description: text.length <= SKILL_LIMITS.description ? text : `${text.slice(0, SKILL_LIMITS.description - 1)}…`,
    timeout,
    max_retries: maxRetries,
    tags: ['mcp', `mcp-${server}`.slice(0, SKILL_LIMITS.tag)],
  } satisfies Partial<Offer['attributes']>
}
