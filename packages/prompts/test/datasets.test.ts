import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { memoryStorage } from '@minions/core/memory'
import { runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { defineSkill, skills } from '@minions/skills-runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prompts, readCsv, readJsonl } from '../src/index.js'
import { backends, openStore, tickingClock } from './stores.js'

const all = async <T>(rows: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = []
  for await (const row of rows) list.push(row)
  return list
}

const cell = fc.oneof(fc.string(), fc.constantFrom('', '"', ',', '\n', '\r\n', 'a"b', ' x ', '""'))
const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`
/** Without quotes where they are not needed: inside a text a quote is a character like others. */
const bare = (value: string) => (/^"|[,\r\n]/.test(value) ? quoted(value) : value)

it('reads back any CSV, cut into pieces anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { maxLength: 6 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 50 }),
      fc.boolean(),
      fc.constantFrom(quoted, bare),
      async (rows, newline, size, ends, write) => {
        const source =
          [['a', 'b'], ...rows].map((row) => row.map(write).join(',')).join(newline) + (ends ? newline : '')
        const pieces = source.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? []
        const read = (await all(readCsv(pieces))).map(({ values }) => [values.a, values.b])
        expect(read).toEqual(rows)
      },
    ),
    { numRuns: 500 },
  )
})

it('reads any text as it reads it character by character', async () => {
  const outcome = (source: string | string[]) => all(readCsv(source)).catch(({ message }) => message)
  const text = fc.string({ unit: fc.constantFrom('a', '😀', '"', '"', ',', '\n', '\r'), maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(text, async (rest) => {
      const source = `a,b\n${rest}`
      expect(await outcome(source)).toEqual(await outcome(source.split('')))
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ['', /Line 1 .*column names/],
  ['a,a\n1,2', /"a" occurs twice/],
  ['a,\n1,2', /column 2 has no name/],
  ['a,b\n1,2\n3', /Line 3 .*1 cells, but there are 2 columns/],
  ['a\n"x\ny', /Line 2 .*never closed/],
  ['a\n"x"y', /Line 2 .*closing quote/],
])('says what is wrong with the CSV %j, and where', async (source, message) => {
  await expect(all(readCsv(source))).rejects.toThrow(message)
})

it('ends at a quote that is never closed, before it has read everything', async () => {
  let given = 0
  function* endless() {
    yield 'a\n"'
    for (;;) yield 'x'.repeat(10_000 + 0 * given++)
  }
  await expect(all(readCsv(endless()))).rejects.toMatchObject({ code: 'DATASET_INVALID', details: { line: 2 } })
  expect(given).toBeLessThan(200)
})

it.each([
  ['{"a":1}\n\n{"a"', /Line 3 .*not JSON/],
  ['[1]', /Line 1 .*not a JSON object/],
  ['{"a":"\\ud800"}', /Line 1 .*cannot be stored/],
])('says what is wrong with the JSONL %j, and where', async (source, message) => {
  await expect(all(readJsonl(source))).rejects.toThrow(message)
})

describe.each(backends)('data sets on %s', (_, create) => {
  async function open() {
    const store = await openStore(create())
    await store.prompts.create({ title: 'P', content: '{{name}} {{#each items}}{{this}}{{/each}} {{style}}' })
    await store.prompts.variables.define('p', { name: 'items', variableType: 'array', required: false })
    await store.prompts.variables.define('p', { name: 'style', defaultValue: 'kind' })
    return store
  }

  it('adds tests from CSV and JSONL', async () => {
    const { prompts: api } = await open()
    const csv =
      'name,items,test.title,test.golden,test.contains,test.maxLength\nAda,"[1,2]",First,TRUE,Ada,20\nBo,,,,,\n'
    expect(await api.tests.import('p', 'csv', () => csv)).toBe(2)
    const jsonl =
      '{"name":"Cy","style":null}\n{"inputVariables":{"name":"Di"},"title":"T","assertions":{"equals":"x"},"golden":true}\n'
    expect(await api.tests.import('p', 'jsonl', () => [jsonl])).toBe(2)
    const tests = await api.tests.list('p')
    expect(
      tests.map(({ title, fields }) => ({ title, ...fields })).sort((a, b) => (a.title < b.title ? -1 : 1)),
    ).toEqual([
      {
        title: 'First',
        inputVariables: { name: 'Ada', items: [1, 2] },
        golden: true,
        assertions: { contains: ['Ada'], maxLength: 20 },
      },
      { title: 'T', inputVariables: { name: 'Di' }, golden: true, assertions: { equals: 'x' } },
      { title: 'Test of P', inputVariables: expect.anything() },
      { title: 'Test of P', inputVariables: expect.anything() },
    ])
  })

  it.each([
    ['csv', 'items\n[]\n', /lacks the column "name".*it has items/],
    ['csv', 'name,test.nope\nAda,x\n', /"test.nope" is not a test column/],
    ['csv', 'name,items\nAda,[]\nBo,{}\n', /Line 3 .*"items" must be of type array/],
    ['csv', 'name,items\nAda,nope\n', /Line 2 .*"items" is not JSON/],
    ['csv', 'name,test.matches\nAda,(\n', /Line 2/],
    ['jsonl', '{"name":"a"}\n{"inputVariables":{},"nope":1}\n', /Line 2 .*"nope"/],
    ['jsonl', '{"inputVariables":[]}', /Line 1/],
    ['jsonl', '{"name":"a"}\n{"style":"b"}\n', /Line 2 .*has no value for "name"/],
    ['jsonl', '{"name":"a","items":{}}', /Line 1 .*"items" must be of type array/],
    ['jsonl', '{"inputVariables":{"name":"a"},"assertions":"x"}', /Line 1 .*"assertions" is not an object/],
    [
      'jsonl',
      '{"inputVariables":{"name":"a"},"title":"T","assertions":{"title":"x"}}',
      /Line 1 .*"title" is not an assertion/,
    ],
    ['jsonl', '{"inputVariables":{"name":"a"},"scoringDimensions":"x"}', /Line 1 .*"scoringDimensions" is not a list/],
    ['jsonl', '{"inputVariables":{"name":"a"},"title":{}}', /Line 1 .*"title" is not a string/],
    ['jsonl', '{"inputVariables":{"name":"a"},"expectedCriteria":5}', /Line 1 .*"expectedCriteria" is not a string/],
    ['jsonl', '{"inputVariables":{"name":"a"},"golden":"yes"}', /Line 1 .*golden must be true or false/],
  ] as const)('refuses the %s %j and writes nothing', async (format, source, message) => {
    const { prompts: api } = await open()
    await expect(api.tests.import('p', format, () => source)).rejects.toThrow(message)
    expect(await api.tests.list('p')).toEqual([])
  })
})

it('reads 100,000 rows in bounded memory, and writes nothing where the last is wrong', {
  timeout: 240_000,
}, async () => {
  const script = fileURLToPath(new URL('processes/many-rows.mjs', import.meta.url))
  const args = ['--max-old-space-size=48', script, '1000', '100000']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(printed).toMatch(/^1000 rows\nLine 100002 .* 3 cells.*\n1000 tests\n$/)
  expect(code).toBe(0)
})

it('goes on with an import that was interrupted, and lists its rows in their order', async () => {
  const { prompts: api } = await openStore(memoryStorage())
  await api.create({ title: 'P', content: '{{name}}' })
  const names = Array.from({ length: 1200 }, (_, row) => `n${row % 7}`)
  const csv = `name\n${names.join('\n')}\n`
  const stop = (done: number) => {
    if (done >= 500) throw new Error('killed')
  }
  await expect(api.tests.import('p', 'csv', () => csv, { onProgress: stop })).rejects.toThrow('killed')
  expect(await api.tests.list('p')).toHaveLength(500)
  expect(await api.tests.import('p', 'csv', () => csv)).toBe(1200)
  const tests = await api.tests.list('p')
  expect(tests.map(({ fields }) => (fields.inputVariables as { name: string }).name)).toEqual(names)
})

it('makes tests of what really happened, each once', async () => {
  const app = await createMinions({ clock: tickingClock(), storage: memoryStorage(), plugins: [skills(), prompts()] })
  app.skills.registry.registerAll([
    defineSkill({
      name: 'answer',
      version: '1.0.0',
      parameters_schema: { type: 'object' },
      execute: ({ name }: { name?: unknown }) => {
        if (name === 'Cy') throw new Error('no answer')
        return { text: `Hi ${name}` }
      },
    }),
  ])
  for (const name of ['Ada', 'Bo', 'Cy']) await app.skills.execute('answer', { name }).catch(() => undefined)
  await app.prompts.create({ title: 'P', content: '{{name}}' })
  const { tests } = app.prompts
  expect(await tests.fromExecutions('p', { skill_name: 'answer', status: 'success', limit: 1 })).toHaveLength(1)
  expect(await tests.fromExecutions('p', { status: 'success' })).toHaveLength(1)
  expect(await tests.fromExecutions('p', { skill_name: 'other' })).toEqual([])
  expect(await runOperation(app, 'prompts.testsFromExecutions', { prompt: 'P', status: 'failed' })).toHaveLength(1)
  expect(await tests.fromExecutions('p')).toEqual([])
  const created = await tests.list('p')
  expect(created.map(({ fields }) => fields.inputVariables)).toEqual([{ name: 'Ada' }, { name: 'Bo' }, { name: 'Cy' }])
  expect(created[0]).toMatchObject({
    title: expect.stringMatching(/^answer /),
    fields: { expectedCriteria: 'The answer was: {"text":"Hi Ada"}' },
  })
  await app.close()
})
