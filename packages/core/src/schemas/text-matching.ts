import { Type } from 'typebox'
import { guarded } from '../errors/guard.js'

/**
 * A text that matches a pattern from its beginning to its end in every language: `$` matches before a final line feed in
 * Python, so line feeds are refused. For published schemas the pattern should do without look-around, `\\d` and `\\w`.
 */
export const textMatching = guarded('textMatching', textMatchingUnchecked)

function textMatchingUnchecked(pattern: string, options: { maxLength?: number; description?: string } = {}) {
  return Type.String({ not: { pattern: '\\n' }, pattern, ...options })
}
