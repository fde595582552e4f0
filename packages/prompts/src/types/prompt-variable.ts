import { defineType } from '@minions/core'

/** The types a declared variable can have. */
export const VARIABLE_TYPES = ['string', 'number', 'boolean', 'array', 'object'] as const

export type VariableType = (typeof VARIABLE_TYPES)[number]

/** The declaration of one variable of a prompt; its title is the variable's name. */
export const promptVariableType = defineType({
  id: 'minions-prompts/prompt-variable',
  name: 'Prompt Variable',
  slug: 'prompt-variable',
  description: 'A variable of a prompt.',
  icon: '🔤',
  schema: [
    { name: 'variableType', type: 'select', required: true, options: VARIABLE_TYPES, label: 'Type' },
    { name: 'description', type: 'string', label: 'Description', description: 'Meaning of the variable' },
    { name: 'defaultValue', type: 'string', label: 'Default', description: 'Text for strings, JSON for other types' },
    {
      name: 'required',
      type: 'boolean',
      required: true,
      label: 'Required',
      description: 'Whether callers must give a value',
    },
    { name: 'example', type: 'string', label: 'Example', description: 'A value, for documentation' },
  ],
})
