import { guarded } from '@minions/core/plugin'
import { Lexer, Parser } from 'yaml'
import { requireString } from './require-text.js'

/** More than anyone writes by hand; the stack holds several times as many. */
const MAX_NESTING = 200

/**
 * Throws when YAML is nested deeper than 200 levels; call it before parsing. The library recurses for every level, and
 * a pattern compiled close to the end of the stack crashes the process. Its parser, the only part used here, has its
 * own stack.
 */
export const refuseNesting = guarded('refuseNesting', refuseNestingUnchecked, { callsBack: 'hooks' })

function refuseNestingUnchecked(text: string): void {
  requireString('A YAML document', text)
  if ((text.match(/[-?:[{]/g)?.length ?? 0) <= MAX_NESTING) return
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    Array.from(parser.next(lexeme))
    if (parser.stack.length > MAX_NESTING) throw new Error(`It is nested deeper than ${MAX_NESTING} levels.`)
  }
}
