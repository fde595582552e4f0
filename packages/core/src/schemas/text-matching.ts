import { Type } from 'typebox'
import { guarded } from '../errors/guard.js'

/**
 * A string that matches a pattern from beginning to end in every language: `$` matches before a final line feed in
 * Python, so line feeds are refused. Patterns of published schemas should not use look-around, `\\d` or `\\w`.
 */
export const textMatching = guarded('textMatching', textMatchingUnchecked)

function textMatchingUnchecked(pattern: string, options: { maxLength?: number; description?: string } = {}) {
  return Type.String({ not: { pattern: '\\n' }, pattern, ...options })
}
