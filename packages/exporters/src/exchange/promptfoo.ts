import { isRecord, type JsonObject, type JsonValue } from '@minions/core/json'
import type { Assertions, TestInput } from '@minions/prompts'
import type { ExchangeFormat } from './exchange-format.js'
import { readYaml, writeYaml } from './front-matter.js'
import { plainTemplate, readPlain } from './plain-template.js'
import { defined, type Loss, type PortablePrompt, spoken } from './portable-prompt.js'
import { readAssertion, writeAssertions } from './promptfoo-assertions.js'
import { invalid, readMessages } from './read-messages.js'
import { asObject, settingsOf } from './settings.js'

/** A configuration of promptfoo in YAML, with one prompt and its tests. Templates are those of Nunjucks. */
export const promptfoo: ExchangeFormat<string> = {
  format: 'promptfoo',
  write(prompt) {
    const lost: Loss[] = []
    const { title, name, description, tags, variables, settings, responseSchema, tests = [] } = prompt
    const config = {
      ...settings,
      ...(responseSchema && {
        response_format: { type: 'json_schema', json_schema: { name: 'response', schema: responseSchema } },
      }),
    }
    const data = defined({
      description,
      prompts: [
        defined({
          id: name ?? title,
          label: title,
          raw: rawOf(prompt, lost),
          config: Object.keys(config).length > 0 ? config : undefined,
        }),
      ],
      tests: tests.length > 0 ? tests.map(writeTest) : undefined,
      metadata: { minions: defined({ title, tags, variables }) },
    })
    return { document: writeYaml(data), lost }
  },
  read(document) {
    if (typeof document !== 'string') throw invalid('promptfoo', 'it is not a string')
    const { description, prompts, tests, metadata, ...rest } = readYaml('promptfoo', document)
    const lost: Loss[] = Object.keys(rest).map((part) => ({
      part,
      why: 'a prompt has no such property',
      breaking: false,
    }))
    const [first, second] = Array.isArray(prompts) ? prompts : []
    if (first === undefined) throw invalid('promptfoo', 'it has no prompts')
    if (second !== undefined) lost.push({ part: 'prompts', why: 'only the first is read', breaking: true })
    const { id, label, raw, config } = isRecord(first) ? (first as JsonObject) : ({ raw: first } as JsonObject)
    if (typeof raw !== 'string' || raw.startsWith('file://')) throw invalid('promptfoo', 'its prompt has no text `raw`')
    const { response_format: format, ...settings } = asObject(config) ?? {}
    const schema = asObject(asObject(asObject(format)?.json_schema)?.schema)
    const own = asObject(asObject(metadata)?.minions) ?? {}
    const cases = Array.isArray(tests) ? tests.map((test, index) => readTest(test, index, lost)) : []
    return {
      prompt: {
        ...readRaw(raw, lost),
        title: String(own.title ?? label ?? id ?? 'Imported from promptfoo'),
        ...defined({
          name: typeof id === 'string' && id !== own.title ? id : undefined,
          description: typeof description === 'string' ? description : undefined,
          tags: own.tags as string[] | undefined,
          variables: own.variables as never,
        }),
        ...settingsOf(settings),
        ...(schema && { responseSchema: schema }),
        ...(cases.length > 0 && { tests: cases }),
      } as PortablePrompt,
      lost,
    }
  },
}

/** A list of messages is JSON, in which promptfoo fills in the texts. */
function rawOf(prompt: PortablePrompt, lost: Loss[]): string {
  if (!prompt.messages) return nunjucks(prompt.content, 'content', lost)
  const { messages, lost: places } = spoken('promptfoo', prompt)
  lost.push(...places)
  return JSON.stringify(
    messages.map(({ role, content }, index) => ({ role, content: nunjucks(content, `messages[${index}]`, lost) })),
    null,
    2,
  )
}

function nunjucks(content: string, part: string, lost: Loss[]): string {
  return plainTemplate(content, part, lost, {
    placeholder: (name) => `{{${name}}}`,
    text: (text) => text.replace(/\{(?=[{%#])|\{$|#(?=\})/g, '{{ "$&" }}'),
  })
}

function readRaw(
  raw: string,
  lost: Loss[],
): { content: string } | { messages: NonNullable<PortablePrompt['messages']> } {
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch {
    // A text.
  }
  if (!Array.isArray(value)) return { content: readPlain(raw, NUNJUCKS, 'content', lost) }
  const { messages, lost: more } = readMessages('promptfoo', value, (text, part) =>
    readPlain(text, NUNJUCKS, part, lost),
  )
  lost.push(...more)
  return { messages }
}

const NUNJUCKS = { literal: /\{\{ "([{#])" \}\}/, statement: /\{[{%#]/ }

function writeTest({
  title,
  inputVariables,
  expectedCriteria,
  scoringDimensions,
  golden,
  assertions = {},
}: TestInput): JsonObject {
  const own = defined({ criteria: expectedCriteria, dimensions: scoringDimensions && [...scoringDimensions], golden })
  const assert = writeAssertions(assertions)
  return defined({
    description: title,
    vars: inputVariables,
    assert: assert.length > 0 ? assert : undefined,
    metadata: Object.keys(own).length > 0 ? { minions: own } : undefined,
  }) as JsonObject
}

function readTest(test: unknown, index: number, lost: Loss[]): TestInput {
  if (!isRecord(test)) throw invalid('promptfoo', `tests[${index}] is not a mapping`)
  const { description, vars, assert, metadata, ...rest } = test as JsonObject
  for (const key of Object.keys(rest))
    lost.push({ part: `tests[${index}].${key}`, why: 'a test does not have it', breaking: false })
  const own = asObject(asObject(metadata)?.minions) ?? {}
  const assertions: Record<string, JsonValue> = {}
  for (const one of Array.isArray(assert) ? assert : []) {
    if (!readAssertion(one, assertions)) {
      lost.push({
        part: `tests[${index}].assert`,
        why: `there is no equivalent of the assertion ${JSON.stringify(one).slice(0, 60)}`,
        breaking: true,
      })
    }
  }
  return {
    inputVariables: asObject(vars) ?? {},
    ...defined({
      title: typeof description === 'string' ? description : undefined,
      expectedCriteria: own.criteria as string | undefined,
      scoringDimensions: own.dimensions as string[] | undefined,
      golden: own.golden as boolean | undefined,
    }),
    ...(Object.keys(assertions).length > 0 && { assertions: assertions as Assertions }),
  }
}
