import { defineType } from '@minions/core'
import { commonFields } from './prompt-template.js'

/** A snapshot of a prompt, linked to the previous one by a `follows` relation. */
export const promptVersionType = defineType({
  id: 'minions-prompts/prompt-version',
  name: 'Prompt Version',
  slug: 'prompt-version',
  description: 'A prompt as it was at one time.',
  icon: '🔖',
  schema: [
    { name: 'content', type: 'textarea', required: true, label: 'Content', description: 'Text of this version' },
    commonFields.description,
    {
      name: 'versionNumber',
      type: 'number',
      label: 'Version',
      description: 'Steps from the template, which counts as 0',
    },
    { name: 'changelog', type: 'string', label: 'Changelog', description: 'Description of the change' },
    commonFields.variables,
    commonFields.tags,
  ],
})
