import { isMinionsError, messageOf } from '@minions/core'
import { type Operation, operationsWith, property } from '@minions/core/operations'
import { Type } from 'typebox'
import { FINISH_REASONS, type ModelCall } from './door/call.js'
import {
  answered,
  conversationCalls,
  MessageSchema,
  OutsideToolSchema,
  outsideTool,
  promptOf,
} from './door/conversation.js'
import { nameOf } from './provider/language-model.js'
import { modelsRef } from './ref.js'

const operation = operationsWith({ models: modelsRef })

const UsageSchema = Type.Object({
  model: Type.String(),
  role: Type.String(),
  calls: Type.Integer(),
  failures: Type.Integer(),
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  cost: Type.Optional(Type.Number()),
})

const list = operation({
  name: 'models.list',
  summary: 'List the configured models by role',
  access: 'read',
  input: {},
  output: Type.Array(Type.Object({ role: Type.String(), model: Type.String(), priced: Type.Boolean() })),
  examples: [{ title: 'An app without a model', input: {} }],
  run: (_, { models }) => models.list(),
})

const usage = operation({
  name: 'models.usage',
  summary: 'Show what models have used since the app was opened',
  access: 'read',
  input: {},
  output: Type.Array(UsageSchema),
  examples: [{ title: 'Before the first call', input: {} }],
  run: (_, { models }) => models.usage(),
})

const test = operation({
  name: 'models.test',
  summary: 'Ask every configured model for one word, and report which of them answer',
  access: 'write',
  input: { role: Type.Optional(property.text('Only the model of this role.', 'worker')) },
  output: Type.Array(
    Type.Object({
      role: Type.String(),
      model: Type.String(),
      ok: Type.Boolean(),
      ms: Type.Integer(),
      text: Type.Optional(Type.String()),
      tokens: Type.Optional(Type.Integer()),
      error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
    }),
  ),
  examples: [
    { title: 'A role without a model', input: { role: 'worker' }, fails: 'MODEL_MISSING' },
    { title: 'An app without a model', input: {} },
  ],
  async run({ role }, { models }, { signal }) {
    const known = models.list().filter((each) => each.role !== 'embedding')
    const asked = role === undefined ? known : [{ role, model: nameOf(models.modelFor(role)) }]
    const results = []
    for (const each of asked) {
      const began = performance.now()
      const said = await models
        .ask({
          role: each.role,
          messages: [{ role: 'user', content: 'Say the word "ready".' }],
          maxTokens: 200,
          signal,
        })
        .then(
          ({ text, usage: { totalTokens } }) => ({ ok: true, text: text.slice(0, 200), tokens: totalTokens }),
          (error: unknown) => ({ ok: false, error: errorOf(error) }),
        )
      results.push({ role: each.role, model: each.model, ms: Math.round(performance.now() - began), ...said })
    }
    return results
  },
})

const complete = operation({
  name: 'models.complete',
  summary: 'Ask a model to continue a conversation',
  description: 'Text is reported as progress, in chunks as it arrives, as `message`.',
  access: 'write',
  input: {
    role: Type.Optional(property.text('Role that chooses the model; the default one.', 'worker')),
    messages: Type.Array(MessageSchema, {
      minItems: 1,
      description: 'The conversation so far.',
      examples: [[{ role: 'user', content: 'Hello?' }]],
    }),
    tools: Type.Optional(
      property.list(OutsideToolSchema, 'Tools that the caller runs itself.', {
        name: 'open-door',
        parameters: { type: 'object' },
      }),
    ),
    toolChoice: Type.Optional(property.text('`auto`, `none`, `required`, or the name of a tool.', 'auto')),
    schema: Type.Optional(property.record('JSON Schema of the answer.', { type: 'object' })),
    maxTokens: Type.Optional(property.whole('Maximum number of tokens of the answer.', 500, { minimum: 1 })),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, description: 'From 0 to 2.', examples: [0.7] })),
    stop: Type.Optional(property.list(Type.String(), 'Texts that end the answer.', 'END')),
    stream: property.flag('Report text as progress.'),
  },
  output: Type.Object({
    text: Type.String(),
    finish: Type.Enum(FINISH_REASONS),
    model: Type.String(),
    ...answered,
  }),
  examples: [
    {
      title: 'An app without a model',
      input: { messages: [{ role: 'user', content: 'Hello?' }] },
      fails: 'MODEL_MISSING',
    },
  ],
  async run({ messages, tools = [], toolChoice, stream, ...settings }, { models }, { signal, progress }) {
    let done = 0
    const answer = await models.call({
      ...settings,
      prompt: promptOf(messages),
      tools: tools.map(outsideTool),
      toolChoice: toolChoice === undefined ? undefined : choiceOf(toolChoice),
      signal,
      onText: stream ? (message) => progress({ done: ++done, message }) : undefined,
    })
    const { text, finish, model, usage, cost, toolCalls } = answer
    return {
      text,
      finish,
      model,
      usage,
      ...(cost !== undefined && { cost }),
      ...(toolCalls.length > 0 && { tool_calls: conversationCalls(toolCalls) }),
    }
  },
})

function choiceOf(text: string): ModelCall['toolChoice'] {
  if (text === 'auto' || text === 'none' || text === 'required') return { type: text }
  return { type: 'tool', toolName: text }
}

function errorOf(error: unknown) {
  return { code: isMinionsError(error) ? error.code : 'MODEL_UNAVAILABLE', message: messageOf(error, 1000) }
}

export const modelOperations = [list, test, usage, complete] as const satisfies readonly Operation[]
