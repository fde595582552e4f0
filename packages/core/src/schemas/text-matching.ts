import { Type } from 'typebox'

/**
 * A text that matches a pattern from its beginning to its end in every language: `$` matches before a final line feed in
 * Python, so line feeds are refused. For published schemas the pattern should do without look-around, `\\d` and `\\w`.
 */
export function textMatching(pattern: string, options: { maxLength?: number; description?: string } = {}) {
  return Type.String({ not: { pattern: '\\n' }, pattern, ...options })
}
