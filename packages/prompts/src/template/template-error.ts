import { MinionsError, quote } from '@minions/core'
import { guarded } from '@minions/core/plugin'

const BEFORE = 40
const AFTER = 60

/** A malformed template. `line` and `column` count from 1, columns in characters (code points). */
export class TemplateError extends MinionsError<'TEMPLATE_INVALID'> {
  readonly line: number
  readonly column: number
  /** The part of the affected line around the error. */
  readonly excerpt: string

  constructor(problem: string, source: string, offset: number) {
    const { line, column, excerpt } = locate(source, offset)
    super(
      'TEMPLATE_INVALID',
      `Template error in line ${line}, column ${column}: ${typeof problem === 'string' ? problem : quote(problem)}. Near: ${excerpt}`,
      { details: { line, column, excerpt, problem } },
    )
    this.name = 'TemplateError'
    this.line = line
    this.column = column
    this.excerpt = excerpt
  }
}

const locate = guarded(
  'TemplateError',
  (source: string, offset: number): { line: number; column: number; excerpt: string } => {
    if (typeof source !== 'string' || typeof offset !== 'number')
      throw new TypeError('a string and an offset are required')
    let line = 1
    let start = 0
    for (let next = source.indexOf('\n'); next !== -1 && next < offset; next = source.indexOf('\n', start)) {
      line++
      start = next + 1
    }
    const newline = source.indexOf('\n', offset)
    const end = newline === -1 ? source.length : newline
    const from = Math.max(start, offset - BEFORE)
    const to = Math.min(end, offset + AFTER)
    const excerpt = `${from > start ? '…' : ''}${source.slice(from, to).trimEnd()}${to < end ? '…' : ''}`
    let column = 1
    for (const _ of source.slice(start, offset)) column++
    return { line, column, excerpt }
  },
)
