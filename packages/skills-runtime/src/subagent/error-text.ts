import { SUBAGENT_LIMITS } from './subagent-schema.js'

const MARKER = '… [cut]'

/** An error text as a subagent carries it: cut at 1,000 characters with a marker, never in the middle of a character. */
export function subagentError(message: string): string {
  const characters = Array.from(message.toWellFormed())
  if (characters.length <= SUBAGENT_LIMITS.error) return characters.join('')
  return characters.slice(0, SUBAGENT_LIMITS.error - MARKER.length).join('') + MARKER
}
