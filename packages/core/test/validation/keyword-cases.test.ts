import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { compileSchema, schemaIssues } from '../../src/schemas/index.js'
import { type Case, COMMON, DRAFT_07, DRAFT_2020 } from './keyword-cases.js'

const DRAFTS: readonly (readonly [draft: string, $schema: string, cases: readonly Case[]])[] = [
  ['2020-12', 'https://json-schema.org/draft/2020-12/schema', [...COMMON, ...DRAFT_2020]],
  ['draft-07', 'http://json-schema.org/draft-07/schema#', [...COMMON, ...DRAFT_07]],
]

/** The verdicts on all values: right and wrong ones, and how many schemas are refused. */
function judge(cases: readonly Case[], $schema: string, verdict: (schema: object) => (value: unknown) => boolean) {
  const result = { right: 0, refused: 0, wrong: [] as string[] }
  for (const { keyword, schema, valid = [], invalid = [], refused } of cases) {
    const complete = { $schema, ...schema }
    const [issue] = schemaIssues(complete)
    if (issue?.code !== refused) result.wrong.push(`${keyword}: ${JSON.stringify(schema)} ${issue?.code}`)
    if (issue !== undefined) {
      result.refused++
      continue
    }
    const fits = verdict(complete)
    for (const value of [...valid, ...invalid]) {
      if (fits(value) === valid.includes(value)) result.right++
      else result.wrong.push(`${keyword}: ${JSON.stringify(schema)} ${JSON.stringify(value)}`)
    }
  }
  return result
}

describe.each(DRAFTS)('each keyword of %s', (draft, $schema, cases) => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('gets the right verdicts, or is refused', () => {
    const { right, refused, wrong } = judge(cases, $schema, (schema) => {
      const { issues } = compileSchema(schema)
      return (value) => issues(value).length === 0
    })
    expect(wrong).toEqual([])
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const row = `| ${draft} | ${right} | ${refused} | 0 |`
    expect(readme.includes(row), row).toBe(true)
  })

  it('gets the same verdicts from generated code', () => {
    const generate = vi.fn(Function)
    vi.stubGlobal('Function', generate)
    const { right, wrong } = judge(cases, $schema, (schema) => {
      const { check } = compileSchema({ ...schema, $comment: 'generated' })
      for (let use = 0; use < 50; use++) check(use)
      return check
    })
    expect(wrong).toEqual([])
    expect(right).toBeGreaterThan(300)
    expect(generate.mock.calls.length).toBeGreaterThan(80)
  })

  it('gets the same verdicts where a policy forbids generated code', () => {
    vi.stubGlobal('Function', () => {
      throw new EvalError('refused by policy')
    })
    const { wrong } = judge(cases, $schema, (schema) => {
      const { check } = compileSchema({ ...schema, $comment: 'forbidden' })
      for (let use = 0; use < 50; use++) check(use)
      return check
    })
    expect(wrong).toEqual([])
  })
})

it('takes the formats of 2020-12 as descriptions where it is told to', () => {
  for (const format of ['email', 'date', 'ipv4', 'uri', 'uuid', 'regex']) {
    expect(compileSchema({ format }).check('[')).toBe(false)
    expect(compileSchema({ format }, { assertFormats: false }).check('[')).toBe(true)
  }
})
