import { promptTemplateType } from '@minions/prompts'
import { Type } from 'typebox'
import type { PromptDocument } from '../json/prompt-document.js'

/** An input is closed: a misspelt name is refused, not ignored. */
export const closed = { additionalProperties: false } as const

export const PromptName = Type.String({
  minLength: 1,
  description: 'Id of a prompt or version, or title of a prompt.',
  examples: ['Greeting'],
})

/** Creates the prompt that the examples use. */
export const given = [
  ['prompts.create', { id: 'greeting', title: 'Greeting', content: 'Hello {{name}}!' }],
  ['prompts.addVersion', { id: 'greeting-1', prompt: 'Greeting', content: 'Good day, {{name}}.' }],
] as const

/** An export of a prompt without versions. */
export const exampleDocument: PromptDocument = {
  format: 'minions-prompt',
  version: 1,
  prompt: {
    id: 'farewell',
    title: 'Farewell',
    minionTypeId: promptTemplateType.id,
    fields: { content: 'Goodbye {{name}}.', variables: ['name'] },
    createdAt: '2030-01-31T12:00:00.000Z',
    updatedAt: '2030-01-31T12:00:00.000Z',
    status: 'active',
  },
  versions: [],
  variables: [],
  tests: [],
  results: [],
  relations: [],
}
