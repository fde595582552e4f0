import { SUBAGENT_LIMITS } from './subagent-schema.js'

const MARKER = '… [cut]'

/** The error text of a subagent: truncated at 1,000 characters with a marker. */
export function subagentError(message: string): string {
  return cutText(message, SUBAGENT_LIMITS.error)
}

/** A text of at most that many characters, truncated with a marker and never in the middle of a character. */
export function cutText(text: string, longest: number): string {
  const characters = Array.from(text.toWellFormed())
  if (characters.length <= longest) return characters.join('')
  return characters.slice(0, longest - MARKER.length).join('') + MARKER
}
