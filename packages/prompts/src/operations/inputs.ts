import type { JsonObject } from '@minions/core/json'
import { Type } from 'typebox'
import { PromptMessageSchema } from '../chat/message.js'
import { ScoreSchema } from '../scoring/scores.js'

/** An input is closed: a misspelt name is refused, not ignored. */
export const closed = { additionalProperties: false } as const

/** A prompt, as accepted by all operations on prompts. */
export const PromptName = Type.String({
  minLength: 1,
  description: 'Id of a prompt or version, or name or title of a prompt.',
  examples: ['Greeting'],
})

/** A version of a prompt, by number or id. */
export const Version = (description: string, example: number) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 0 })], {
    description,
    examples: [example, `greeting-${example}`],
  })

export const VersionName = Version('Number or id of a version; 0 is the original prompt.', 1)

/** A label that is read, `latest` included. */
export const LabelName = Type.String({
  minLength: 1,
  description: 'A label, such as production, or latest for the latest version.',
  examples: ['staging'],
})

export const RequestKey = Type.String({
  description: 'The user or object it is for; decides which version is used where traffic is split.',
  examples: ['user-1'],
})

export const Variables = Type.Unsafe<JsonObject>({
  type: 'object',
  description: 'Values by variable name.',
  examples: [{ name: 'Ada' }],
})

export const AssignedId = Type.Optional(
  Type.String({ description: 'An id assigned elsewhere; default: a new one.', examples: ['greeting'] }),
)

const Content = Type.String({
  description: 'The template; `{{name}}` is a variable.',
  examples: ['Hello {{name}}!'],
})

/** The content of a prompt or version, and the other model inputs. */
export const body = {
  content: Type.Optional(Content),
  messages: Type.Optional(
    Type.Array(PromptMessageSchema, {
      minItems: 1,
      description: 'The messages of a chat prompt, instead of content.',
      examples: [[{ role: 'system', content: 'Be brief.' }, { placeholder: 'history' }]],
    }),
  ),
  settings: Type.Optional(
    Type.Unsafe<JsonObject>({
      type: 'object',
      description: 'Settings of the model, such as model and temperature.',
      examples: [{ model: 'large-3', temperature: 0.2 }],
    }),
  ),
  responseSchema: Type.Optional(
    Type.Unsafe<JsonObject>({
      type: 'object',
      description: 'JSON Schema of answers.',
      examples: [{ type: 'object', required: ['answer'] }],
    }),
  ),
}

/** Attributes that can be changed, and cleared with null. */
export const attributes = {
  description: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Its purpose.', examples: ['Opens every letter.'] }),
  ),
  tags: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The complete list of tags.',
      examples: [['crm']],
    }),
  ),
}

/** An assessment of an answer by a person or model. */
export const Evaluated = {
  scores: Type.Record(Type.String(), ScoreSchema, {
    description: 'Integers from 0 to 100 by dimension.',
    examples: [{ tone: 90 }],
  }),
  passed: Type.Boolean({ description: 'True if it passed.', examples: [true] }),
  output: Type.Optional(Type.String({ description: 'What the model answered.', examples: ['Hello!'] })),
  metadata: Type.Optional(
    Type.Unsafe<JsonObject>({
      type: 'object',
      description: 'Anything else worth keeping: model, tokens, cost, latency.',
      examples: [{ model: 'large-3' }],
    }),
  ),
}

/** Creates the prompt that the examples use. */
export const examplePrompt = [
  'prompts.create',
  { id: 'greeting', title: 'Greeting', content: 'Hello {{name}}!', tags: ['crm'] },
] as const

/** The prompt and a version of it. */
export const exampleVersions = [
  examplePrompt,
  [
    'prompts.addVersion',
    { id: 'greeting-1', prompt: 'Greeting', content: 'Good day, {{name}}.', changelog: 'More formal' },
  ],
] as const
