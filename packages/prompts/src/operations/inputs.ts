import { operationsWith, property } from '@minions/core/operations'
import { Type } from 'typebox'
import { PromptMessageSchema } from '../chat/message.js'
import { promptsRef } from '../ref.js'
import { ScoreSchema } from '../scoring/scores.js'

export const operation = operationsWith({ prompts: promptsRef })

/** A prompt, as accepted by all operations on prompts. */
export const PromptName = property.text('Id of a prompt or version, or name or title of a prompt.', 'Greeting', {
  minLength: 1,
})

/** What operations that read one prompt have in common. */
export const reading = { access: 'read', input: { prompt: PromptName } } as const

/** A version of a prompt, by number or id. */
export const Version = (description: string, example: number) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 0 })], {
    description,
    examples: [example, `greeting-${example}`],
  })

export const VersionName = Version('Number or id of a version; 0 is the original prompt.', 1)

/** A label that is read, `latest` included. */
export const LabelName = property.text('A label, such as production, or latest for the latest version.', 'staging', {
  minLength: 1,
})

export const RequestKey = property.text(
  'The user or object it is for; decides which version is used where traffic is split.',
  'user-1',
)

export const Variables = property.record('Values by variable name.', { name: 'Ada' })

export const AssignedId = Type.Optional(property.text('An id assigned elsewhere; default: a new one.', 'greeting'))

/** The content of a prompt or version, and the other model inputs. */
export const body = {
  content: Type.Optional(property.text('The template; `{{name}}` is a variable.', 'Hello {{name}}!')),
  messages: Type.Optional(
    Type.Array(PromptMessageSchema, {
      minItems: 1,
      description: 'The messages of a chat prompt, instead of content.',
      examples: [[{ role: 'system', content: 'Be brief.' }, { placeholder: 'history' }]],
    }),
  ),
  settings: Type.Optional(
    property.record('Settings of the model, such as model and temperature.', { model: 'large-3', temperature: 0.2 }),
  ),
  responseSchema: Type.Optional(property.record('JSON Schema of answers.', { type: 'object', required: ['answer'] })),
}

/** Attributes that can be changed, and cleared with null. */
export const attributes = {
  description: property.nullable(Type.String(), 'Its purpose.', 'Opens every letter.'),
  tags: property.nullable(Type.Array(Type.String()), 'The complete list of tags.', ['crm']),
}

/** An assessment of an answer by a person or model. */
export const Evaluated = {
  scores: Type.Record(Type.String(), ScoreSchema, {
    description: 'Integers from 0 to 100 by dimension.',
    examples: [{ tone: 90 }],
  }),
  passed: Type.Boolean({ description: 'True if it passed.', examples: [true] }),
  output: Type.Optional(property.text('What the model answered.', 'Hello!')),
  metadata: Type.Optional(
    property.record('Anything else worth keeping: model, tokens, cost, latency.', { model: 'large-3' }),
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
