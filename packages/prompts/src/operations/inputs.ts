import type { JsonObject } from '@minions/core'
import { Type } from 'typebox'

/** An input is closed: a misspelt name is refused, not passed over. */
export const closed = { additionalProperties: false } as const

/** A prompt, as every operation on one takes it. */
export const PromptName = Type.String({
  minLength: 1,
  description: 'Id of a prompt or version, or title of a prompt.',
  examples: ['Greeting'],
})

/** A version of a prompt, by number or id. */
export const Version = (description: string, example: number) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 0 })], {
    description,
    examples: [example, `greeting-${example}`],
  })

export const VersionName = Version('Number or id of a version; 0 is the prompt as it was at first.', 1)

export const Variables = Type.Unsafe<JsonObject>({
  type: 'object',
  description: 'Values by variable name.',
  examples: [{ name: 'Ada' }],
})

export const AssignedId = Type.Optional(
  Type.String({ description: 'An id that was assigned elsewhere; a new one unless given.', examples: ['greeting'] }),
)

export const Content = Type.String({
  description: 'The template; `{{name}}` is a variable.',
  examples: ['Hello {{name}}!'],
})

/** Attributes that can be changed, and cleared with null. */
export const attributes = {
  description: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'What it is for.', examples: ['Opens every letter.'] }),
  ),
  tags: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'Tags, all of them.', examples: [['crm']] }),
  ),
}

/** Creates the prompt that the examples work on. */
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
