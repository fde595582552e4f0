import { property } from '@minions/core/operations'
import { promptTemplateType } from '@minions/prompts'
import type { PromptDocument } from '../json/prompt-document.js'

export const PromptName = property.text('Id of a prompt or version, or title of a prompt.', 'Greeting', {
  minLength: 1,
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
