// @ts-check

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, listPackages } from '../packages.mjs'
import { schemaDocument, schemaProblem } from '../schemas/document.mjs'
import { patternsOf } from '../schemas/portable.mjs'

test('a document names its dialect and itself, and keeps the schema', () => {
  expect(schemaDocument('urn:minions:core:x', { $id: 'old', type: 'string' })).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:minions:core:x',
    type: 'string',
  })
})

test('a schema that a strict validator refuses is a problem', () => {
  expect(schemaProblem(schemaDocument('urn:minions:core:x', { type: 'string', minLength: 1 }))).toBeUndefined()
  expect(schemaProblem(schemaDocument('urn:minions:core:x', { type: 'text' }))).toContain('type')
  expect(schemaProblem(schemaDocument('urn:minions:core:x', { unheard: 1 }))).toContain('unheard')
})

test.each([
  ['a format', { type: 'string', format: 'date-time' }, '/format'],
  ['a look-ahead', { type: 'string', not: { pattern: '\\n' }, pattern: '^a(?!b)$' }, '/pattern'],
  ['Unicode digits', { type: 'string', not: { pattern: '\\n' }, pattern: '^\\d$' }, '/pattern'],
  ['Unicode letters', { type: 'string', not: { pattern: '\\n' }, pattern: '^\\w$' }, '/pattern'],
  [
    'a final line feed',
    { type: 'object', properties: { a: { type: 'string', pattern: '^a$' } } },
    '/properties/a/pattern',
  ],
])('does not publish what languages read differently: %s', (_, schema, pointer) => {
  expect(schemaProblem(schemaDocument('urn:minions:core:x', schema))).toContain(pointer)
})

test('takes property names that look like keywords, and an end that is escaped', () => {
  const properties = { format: { type: 'string' }, pattern: { type: 'string', pattern: 'a\\$' } }
  expect(schemaProblem(schemaDocument('urn:minions:core:x', { type: 'object', properties }))).toBeUndefined()
})

const documents = listPackages().flatMap(({ folder }) =>
  listFiles(join(folder, 'schemas')).map((file) => JSON.parse(readFileSync(join(folder, 'schemas', file), 'utf8'))),
)
const samples = [
  'a-1',
  'navigate',
  '1.0.0',
  'v1',
  'agent.a/b:c',
  'a..b',
  '2024-02-29T10:00:00.5Z',
  '2024-02-30T10:00:00Z',
]
const texts = samples.flatMap((text) => [text, `${text}\n`, text.replaceAll('1', '\u0661'), text.replaceAll('a', 'ä')])

/** @param {{ pattern: string, not?: string }} rule @param {string} text */
function fits({ pattern, not }, text) {
  return new RegExp(pattern, 'u').test(text) && !(not && new RegExp(not, 'u').test(text))
}

const python = spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0

test.skipIf(!python)(
  'publishes patterns that mean the same in Python',
  { meta: { needs: 'Python: install python3' } },
  () => {
    const rules = [...new Set(documents.flatMap(patternsOf).map((rule) => JSON.stringify(rule)))].map((rule) =>
      JSON.parse(rule),
    )
    const program = `
import json, re, sys
data = json.load(sys.stdin)
def fits(rule, text): return bool(re.search(rule['pattern'], text)) and not ('not' in rule and re.search(rule['not'], text))
print(json.dumps([[fits(rule, text) for text in data['texts']] for rule in data['rules']]))
`
    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify({ rules, texts }),
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    /** @type {boolean[][]} */
    const verdicts = JSON.parse(stdout)
    const different = rules.flatMap((rule, row) =>
      texts.flatMap((text, column) => (verdicts[row]?.[column] === fits(rule, text) ? [] : [{ ...rule, text }])),
    )
    expect(different).toEqual([])
    expect(rules.length).toBeGreaterThan(5)
  },
)
