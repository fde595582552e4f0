import type { JsonValue } from '@minions/core/json'
import { property } from '@minions/core/operations'
import { MinionSchema } from '@minions/core/schema'
import { Type } from 'typebox'
import { VARIABLE_TYPES } from '../types/prompt-variable.js'
import { examplePrompt, operation, PromptName, reading } from './inputs.js'

const given = [examplePrompt, ['prompts.setVariable', { prompt: 'Greeting', name: 'name' }]] as const

const Name = property.text('The name, as the template writes it.', 'name', { minLength: 1 })

export const setVariable = operation({
  name: 'prompts.setVariable',
  summary: 'Declare a variable of a prompt, or redeclare it',
  access: 'write',
  atomic: true,
  input: {
    prompt: PromptName,
    name: Name,
    variableType: Type.Optional(property.choice(VARIABLE_TYPES, 'Type of its values; default string.', 'number')),
    required: property.flag('Whether callers must give a value; default true, or false if there is a default value.'),
    defaultValue: Type.Optional(
      Type.Unsafe<JsonValue>({
        description: 'Value used when none is given: of the type, or as text (JSON, unless it is a string).',
        examples: ['friend'],
      }),
    ),
    description: Type.Optional(property.text('Its meaning.', 'Who is greeted')),
    example: Type.Optional(property.text('An example value, for people to read.', 'Ada')),
  },
  output: MinionSchema,
  examples: [
    {
      title: 'With a default value',
      given: [examplePrompt],
      input: { prompt: 'Greeting', name: 'name', defaultValue: 'friend' },
    },
  ],
  run: async ({ prompt, ...input }, { prompts }, { by }) =>
    prompts.variables.define(await prompts.resolve(prompt), input, { by }),
})

export const listVariables = operation({
  name: 'prompts.listVariables',
  summary: 'List the declared variables of a prompt',
  ...reading,
  output: Type.Array(MinionSchema),
  examples: [{ title: 'One variable', given, input: { prompt: 'Greeting' } }],
  run: async ({ prompt }, { prompts }) => prompts.variables.list(await prompts.resolve(prompt)),
})

export const removeVariable = operation({
  name: 'prompts.removeVariable',
  summary: 'Remove the declaration of a variable; the template stays as it is',
  access: 'write',
  atomic: true,
  input: { prompt: PromptName, name: Name },
  output: Type.Object({ name: Type.String(), removed: Type.Boolean() }),
  examples: [{ title: 'Remove a declaration', given, input: { prompt: 'Greeting', name: 'name' } }],
  async run({ prompt, name }, { prompts }, { by }) {
    await prompts.variables.remove(await prompts.resolve(prompt), name, { by })
    return { name, removed: true }
  },
})
