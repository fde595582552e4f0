import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compileSchema, schemaIssues } from '../../src/schemas/index.js'

/*
 * Runs the official JSON-Schema-Test-Suite, which is not on npm: MINIONS_JSON_SCHEMA_SUITE is the folder of a copy, the
 * one that holds `tests`. Cases of our own for each keyword are in keyword-cases.ts.
 */
const folder = process.env.MINIONS_JSON_SCHEMA_SUITE ?? ''

interface Group {
  readonly description: string
  readonly schema: boolean | Record<string, unknown>
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

/** Reasons for which a schema of the suite may be refused. */
const REFUSALS: readonly string[] = ['REFERENCE', 'FORMAT', 'DIALECT', 'KEYWORD', 'JSON', 'PATTERN', 'META_SCHEMA']

/** Optional behaviour that we do not have: content is an annotation here. */
const DIFFERENT: readonly string[] = ['optional/content.json']

const DRAFTS = [
  ['draft2020-12', 'https://json-schema.org/draft/2020-12/schema'],
  ['draft7', 'http://json-schema.org/draft-07/schema#'],
] as const

const needsSuite = {
  meta: { needs: 'the official JSON-Schema-Test-Suite: set MINIONS_JSON_SCHEMA_SUITE to its folder' },
}

describe.skipIf(folder === '')('the official suite', needsSuite, () => {
  it.each(DRAFTS)('gets the right verdicts of %s, or a refusal', (draft, $schema) => {
    const root = join(folder, 'tests', draft)
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))
    const wrong: string[] = []
    const refused: Record<string, number> = {}
    let right = 0
    for (const file of files) {
      // Formats are asserted in the optional part of the suite alone.
      const options = file.startsWith('optional') ? undefined : { assertFormats: false }
      for (const { description, schema, tests } of JSON.parse(readFileSync(join(root, file), 'utf8')) as Group[]) {
        const asObject = typeof schema === 'object' ? schema : schema ? {} : { not: {} }
        const complete = { $schema, ...asObject }
        const [issue] = schemaIssues(complete)
        if (issue !== undefined) {
          refused[issue.code] = (refused[issue.code] ?? 0) + tests.length
          continue
        }
        const { issues, check } = compileSchema(complete, options)
        for (let use = 0; use < 50; use++) check(use)
        for (const { description: what, data, valid } of tests) {
          if ((issues(data).length === 0) === valid && check(data) === valid) right++
          else if (!DIFFERENT.includes(file)) wrong.push(`${file}: ${description}: ${what}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(Object.keys(refused).filter((code) => !REFUSALS.includes(code))).toEqual([])
    expect(right).toBeGreaterThan(1000)
  })
})
