import { isRecord, type JsonObject, type JsonValue } from '@minions/core/json'
import type { Assertions, PromptMessage, TestInput } from '@minions/prompts'
import type { ExchangeFormat } from './exchange-format.js'
import { readYaml, writeYaml } from './front-matter.js'
import { plainTemplate, readPlain } from './plain-template.js'
import { defined, type Lose, type PortablePrompt, spoken } from './portable-prompt.js'
import { readAssertion, writeAssertions } from './promptfoo-assertions.js'
import { invalid, readMessages } from './read-messages.js'
import { asObject, settingsOf } from './settings.js'

/** A configuration of promptfoo in YAML, with one prompt and its tests. Templates are those of Nunjucks. */
export const promptfoo: ExchangeFormat<string> = {
  format: 'promptfoo',
  write(prompt, lose) {
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
          raw: rawOf(prompt, lose),
          config: Object.keys(config).length > 0 ? config : undefined,
        }),
      ],
      tests: tests.length > 0 ? tests.map(writeTest) : undefined,
      metadata: { minions: defined({ title, tags, variables }) },
    })
    return writeYaml(data)
  },
  read(document, lose) {
    if (typeof document !== 'string') throw invalid('promptfoo', 'it is not a string')
    const { description, prompts, tests, metadata, ...rest } = readYaml('promptfoo', document)
    for (const part of Object.keys(rest)) lose(part, 'a prompt has no such property', false)
    const [first, second] = Array.isArray(prompts) ? prompts : []
    if (first === undefined) throw invalid('promptfoo', 'it has no prompts')
    if (second !== undefined) lose('prompts', 'only the first is read')
    const { id, label, raw, config } = isRecord(first) ? (first as JsonObject) : ({ raw: first } as JsonObject)
    if (typeof raw !== 'string' || raw.startsWith('file://')) throw invalid('promptfoo', 'its prompt has no text `raw`')
    const { response_format: format, ...settings } = asObject(config) ?? {}
    const schema = asObject(asObject(asObject(format)?.json_schema)?.schema)
    const own = asObject(asObject(metadata)?.minions) ?? {}
    const cases = Array.isArray(tests) ? tests.map((test, index) => readTest(test, index, lose)) : []
    return {
      ...readRaw(raw, lose),
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
    } as PortablePrompt
  },
}

/** A list of messages is JSON, in which promptfoo fills in the texts. */
function rawOf(prompt: PortablePrompt, lose: Lose): string {
  if (!prompt.messages) return nunjucks(prompt.content, 'content', lose)
  const messages = spoken('promptfoo', prompt, lose).map(({ role, content }, index) => ({
    role,
    content: nunjucks(content, `messages[${index}]`, lose),
  }))
  return JSON.stringify(messages, null, 2)
}

function nunjucks(content: string, part: string, lose: Lose): string {
  return plainTemplate(content, part, lose, {
    placeholder: (name) => `{{${name}}}`,
    text: (text) => text.replace(/\{(?=[{%#])|\{$|#(?=\})/g, '{{ "$&" }}'),
  })
}

function readRaw(raw: string, lose: Lose): { content: string } | { messages: PromptMessage[] } {
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch {
    // A text.
  }
  const toTemplate = (text: string, part: string) => readPlain(text, NUNJUCKS, part, lose)
  if (!Array.isArray(value)) return { content: toTemplate(raw, 'content') }
  return { messages: readMessages('promptfoo', value, lose, toTemplate) }
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

function readTest(test: unknown, index: number, lose: Lose): TestInput {
  if (!isRecord(test)) throw invalid('promptfoo', `tests[${index}] is not a mapping`)
  const { description, vars, assert, metadata, ...rest } = test as JsonObject
  for (const key of Object.keys(rest)) lose(`tests[${index}].${key}`, 'a test does not have it', false)
  const own = asObject(asObject(metadata)?.minions) ?? {}
  const assertions: Record<string, JsonValue> = {}
  for (const one of Array.isArray(assert) ? assert : []) {
    if (readAssertion(one, assertions)) continue
    const why = `there is no equivalent of the assertion ${JSON.stringify(one).slice(0, 60)}`
    lose(`tests[${index}].assert`, why)
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
