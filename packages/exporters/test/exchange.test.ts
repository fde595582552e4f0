import { memoryStorage } from '@minions/core/memory'
import { parseYaml } from '@minions/files/yaml'
import { createMinions } from '@minions/host'
import { type PromptMessage, PromptRenderer, prompts } from '@minions/prompts'
import { Dotprompt } from 'dotprompt'
import fc from 'fast-check'
import nunjucks from 'nunjucks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aiSdk } from '../src/exchange/ai-sdk.js'
import { anthropic } from '../src/exchange/anthropic.js'
import { dotprompt } from '../src/exchange/dotprompt.js'
import type { ExchangeFormat } from '../src/exchange/exchange-format.js'
import { langfuse } from '../src/exchange/langfuse.js'
import { openai } from '../src/exchange/openai.js'
import type { Lose, PortablePrompt } from '../src/exchange/portable-prompt.js'
import { promptfoo } from '../src/exchange/promptfoo.js'
import { exporters, type Loss } from '../src/index.js'

const piece = fc.constantFrom(
  'a ',
  '{',
  '}',
  '\\',
  '{{x}}',
  '{{ y }}',
  '\\{{',
  ' ',
  '\n',
  '{%',
  '{#',
  '{{#if x}}b{{/if}}',
  '"',
  '---\n',
  "'",
  'é',
)
const template = fc
  .array(piece, { maxLength: 8 })
  .map((pieces) => pieces.join(''))
  .filter((source) => {
    try {
      return new PromptRenderer().extractVariables(source) !== undefined
    } catch {
      return false
    }
  })
const role = fc.constantFrom('system' as const, 'developer' as const, 'user' as const, 'assistant' as const)
const message: fc.Arbitrary<PromptMessage> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ role, content: template }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<PromptMessage>({ placeholder: 'history', optional: true }, { placeholder: 'past' }),
  },
)
const settings = fc.option(
  fc
    .record(
      { model: fc.constant('m'), temperature: fc.constantFrom(0, 0.5), odd: fc.constant([1]) },
      { requiredKeys: [] },
    )
    .filter((value) => Object.keys(value).length > 0),
  { nil: undefined },
)
const responseSchema = fc.option(fc.constant({ type: 'object', required: ['a'] }), { nil: undefined })
const test = fc.record({
  title: fc.constantFrom('t', 'u'),
  inputVariables: fc.constant({ x: 'é', n: 1 }),
  assertions: fc.constantFrom({ contains: ['a'], maxLength: 9 }, { equals: 'x' }, { jsonSchema: { type: 'object' } }),
  golden: fc.boolean(),
})
const shared = {
  title: fc.constantFrom('T', 'a: b'),
  name: fc.constantFrom('t', 'a/b'),
  description: fc.option(fc.constant('d # x'), { nil: undefined }),
  tags: fc.option(fc.constant(['one']), { nil: undefined }),
  settings,
  responseSchema,
  variables: fc.option(fc.constant([{ name: 'x', variableType: 'string' as const, required: true }]), {
    nil: undefined,
  }),
  tests: fc.option(fc.array(test, { minLength: 1, maxLength: 2 }), { nil: undefined }),
}
const portable: fc.Arbitrary<PortablePrompt> = fc
  .oneof(
    fc.record({ content: template, ...shared }),
    fc.record({ messages: fc.array(message, { minLength: 1, maxLength: 4 }), ...shared }),
  )
  .map((prompt) => JSON.parse(JSON.stringify(prompt)))

const isBreaking = ({ breaking }: Loss) => breaking

/** What a conversion gives, and what it loses. */
function collecting<T>(convert: (lose: Lose) => T): { result: T; lost: Loss[] } {
  const lost: Loss[] = []
  const result = convert((part, why, breaking = true) => lost.push({ part, why, breaking }))
  return { result, lost }
}

const FORMATS = [openai, anthropic, aiSdk, langfuse, promptfoo, dotprompt] as ExchangeFormat<unknown>[]

describe.each(FORMATS.map((format) => [format.format, format] as const))('%s', (_, format) => {
  it('gives back what it was given, except what it says', () => {
    let kept = 0
    fc.assert(
      fc.property(portable, (prompt) => {
        let written: { result: unknown; lost: Loss[] }
        try {
          written = collecting((lose) => format.write(prompt, lose))
        } catch (error) {
          // Blocks that mustache does not have are refused outright.
          expect(error).toMatchObject({ code: 'EXPORT_UNSUPPORTED' })
          return
        }
        const { result: document, lost } = written
        if (lost.some(isBreaking)) return
        kept += 1
        const copy = typeof document === 'string' ? document : JSON.parse(JSON.stringify(document))
        const read = collecting((lose) => format.read(copy, lose))
        expect(read.lost.filter(isBreaking)).toEqual([])
        const parts = new Set(lost.map(({ part }) => part.split(/[.[]/)[0]))
        const messagesOf = ({ messages, content }: PortablePrompt) =>
          (messages ?? [{ role: 'user' as const, content: content as string }]).map((one) =>
            'placeholder' in one ? one.placeholder : [one.role, normal(one.content)],
          )
        expect(messagesOf(read.result)).toEqual(messagesOf(prompt))
        for (const part of [
          'settings',
          'responseSchema',
          'description',
          'tags',
          'variables',
          'tests',
          'name',
          'title',
        ] as const) {
          if (!parts.has(part)) expect(read.result[part], part).toEqual(prompt[part])
        }
      }),
      { numRuns: 600 },
    )
    expect(kept).toBeGreaterThan(5)
  })
})

/** A template as its nodes say it: white space inside tags does not count. */
function normal(source: string): unknown {
  return JSON.stringify(new PromptRenderer().compile(source).nodes, (key, value) => (key === 'raw' ? undefined : value))
}

const values = { x: 'X{{y}} \\', y: '<&>' }

/** Templates for which these values suffice: pieces may add up to other variables. */
const renderable = template.filter((source) =>
  new PromptRenderer().extractVariables(source).every((name) => Object.hasOwn(values, name)),
)

it('renders in Nunjucks what it renders here', () => {
  const environment = new nunjucks.Environment(null, { autoescape: false })
  fc.assert(
    fc.property(renderable, (content) => {
      const { result: document, lost } = collecting((lose) => promptfoo.write({ title: 'T', content }, lose))
      if (lost.some(isBreaking)) return
      const raw = promptfooRaw(document)
      expect(environment.renderString(raw, values)).toBe(
        new PromptRenderer().render(content, values as Record<string, unknown>),
      )
    }),
    { numRuns: 500 },
  )
})

function promptfooRaw(document: string): string {
  const parsed = parseYaml(document) as { prompts: { raw: string }[] }
  return parsed.prompts[0]?.raw ?? ''
}

it('renders in Dotprompt what it renders here', async () => {
  const engine = new Dotprompt()
  await fc.assert(
    fc.asyncProperty(renderable, async (content) => {
      const { result: document, lost } = collecting((lose) => dotprompt.write({ title: 'T', content }, lose))
      if (lost.some(isBreaking)) return
      const { messages } = await engine.render(document, { input: values })
      const text = messages
        .map(({ content: parts }) => parts.map((part) => ('text' in part ? part.text : '')).join(''))
        .join('')
      expect(text.trim()).toBe(new PromptRenderer().render(content, values as Record<string, unknown>).trim())
    }),
    { numRuns: 300 },
  )
})

it('says what it leaves out of a prompt as Langfuse gives it', () => {
  const kept = { type: 'text', prompt: 'Hi {{x}}', config: {}, tags: [] }
  const stored = { ...kept, name: 'a/b', version: 3, labels: ['production'], commitMessage: null }
  const { result, lost } = collecting((lose) => langfuse.read(stored, lose))
  expect(result).toEqual({ title: 'a/b', name: 'a/b', content: 'Hi {{x}}' })
  expect(lost.map(({ part, breaking }) => [part, breaking])).toEqual([
    ['version', false],
    ['labels', false],
  ])
  expect(collecting((lose) => langfuse.read({ ...kept, name: 'My Bot', labels: [] }, lose))).toMatchObject({
    result: { title: 'My Bot' },
    lost: [{ part: 'name', breaking: false }],
  })
})

it('says which message of Langfuse has more than placeholders', () => {
  const messages = [
    { role: 'system', content: 'Hi {{x}}' },
    { role: 'user', content: 'Hi {{#x}}there{{/x}}' },
  ]
  const { lost } = collecting((lose) => langfuse.read({ name: 'bot', type: 'chat', prompt: messages }, lose))
  expect(new Set(lost.map(({ part }) => part))).toEqual(new Set(['messages[1]']))
})

describe('in an app', () => {
  const open = () => createMinions({ storage: memoryStorage(), plugins: [prompts(), exporters()] })
  let app: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    app = await open()
    await app.prompts.create({
      title: 'Bot',
      messages: [{ role: 'system', content: 'Help {{name}}.' }, { placeholder: 'history' }],
      settings: { model: 'm', topK: 4 },
    })
  })
  afterAll(() => app.close())

  it('refuses what would be lost and says what, unless that is accepted; with variables it is filled in', async () => {
    await expect(app.exporters.export('openai', 'bot')).rejects.toMatchObject({
      code: 'EXPORT_UNSUPPORTED',
      message: expect.stringMatching(/messages.history.*settings.topK/),
    })
    const lost: Loss[] = []
    const onLoss = (losses: readonly Loss[]) => lost.push(...losses)
    expect(await app.exporters.export('openai', 'bot', { onLoss })).toEqual({
      model: 'm',
      messages: [{ role: 'system', content: 'Help {{name}}.' }],
    })
    expect(lost.map(({ part }) => part)).toEqual(['messages.history', 'settings.topK', 'title', 'name'])
    const variables = { name: 'Ada', history: [{ role: 'user', content: 'Hi' }] }
    expect(await app.exporters.export('anthropic', 'bot', { variables })).toEqual({
      model: 'm',
      top_k: 4,
      system: 'Help Ada.',
      messages: [{ role: 'user', content: 'Hi' }],
    })
  })

  it('creates prompts from documents, whole or not at all', async () => {
    const document = await app.exporters.export(
      'dotprompt',
      (await app.prompts.create({ title: 'One', content: 'Hi {{x}}', tags: ['a'] })).id,
    )
    const copy = await app.exporters.import('dotprompt', document, { name: 'two', by: 'ada' })
    expect(copy).toMatchObject({ title: 'One', createdBy: 'ada', fields: { content: 'Hi {{x}}', tags: ['a'] } })
    const count = await app.count({})
    for (const [format, bad] of [
      ['openai', '{"messages":[{"role":"tool","content":"x"}]}'],
      ['openai', 'nope'],
      ['anthropic', '{"messages":[]}'],
      ['langfuse', '{"name":"x"}'],
      [
        'promptfoo',
        `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nprompts: [*c,*c,*c]`,
      ],
      ['promptfoo', `prompts: ${'['.repeat(5000)}`],
      ['dotprompt', `---\na: [\n---\nx`],
      ['dotprompt', '---\nminions:\n  tests: [{ inputVariables: 7 }]\n---\nx'],
    ] as const) {
      await expect(app.exporters.import(format, bad), bad.slice(0, 30)).rejects.toMatchObject({
        code: expect.stringMatching(/IMPORT_INVALID|VALIDATION_FAILED/),
      })
    }
    await expect(app.exporters.import('mermaid', 'x')).rejects.toMatchObject({ code: 'FORMAT_UNKNOWN' })
    expect(await app.count({})).toBe(count)
  })
})
