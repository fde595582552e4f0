import { defineType } from '@minions/core'

/** The fields that a prompt and its versions have in common. */
export const commonFields = {
  description: { name: 'description', type: 'string', label: 'Description', description: 'Purpose of the prompt' },
  variables: { name: 'variables', type: 'tags', label: 'Variables', description: 'Names the content refers to' },
  tags: { name: 'tags', type: 'tags', label: 'Tags', description: 'Free categories' },
} as const

/** The living, current state of a prompt. */
export const promptTemplateType = defineType({
  id: 'minions-prompts/prompt-template',
  name: 'Prompt Template',
  slug: 'prompt-template',
  description: 'A prompt in its current state.',
  icon: '📝',
  schema: [
    { name: 'content', type: 'textarea', required: true, label: 'Content', description: 'Text with placeholders' },
    commonFields.description,
    commonFields.variables,
    commonFields.tags,
  ],
})
