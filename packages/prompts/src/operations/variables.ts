import type { JsonValue } from '@minions/core/json'
import { defineOperation } from '@minions/core/operations'
import { MinionSchema } from '@minions/core/schema'
import { Type } from 'typebox'
import { promptsRef } from '../ref.js'
import { VARIABLE_TYPES } from '../types/prompt-variable.js'
import { closed, examplePrompt, PromptName } from './inputs.js'

const deps = { prompts: promptsRef }
const given = [examplePrompt, ['prompts.setVariable', { prompt: 'Greeting', name: 'name' }]] as const

const Name = Type.String({ minLength: 1, description: 'The name, as the template writes it.', examples: ['name'] })

export const setVariable = defineOperation({
  name: 'prompts.setVariable',
  summary: 'Declare a variable of a prompt, or redeclare it',
  access: 'write',
  atomic: true,
  input: Type.Object(
    {
      prompt: PromptName,
      name: Name,
      variableType: Type.Optional(
        Type.Enum(VARIABLE_TYPES, { description: 'Type of its values; default string.', examples: ['number'] }),
      ),
      required: Type.Optional(
        Type.Boolean({
          description: 'Whether callers must give a value; default true, or false if there is a default value.',
          examples: [true],
        }),
      ),
      defaultValue: Type.Optional(
        Type.Unsafe<JsonValue>({
          description: 'Value used when none is given: of the type, or as text (JSON, unless it is a string).',
          examples: ['friend'],
        }),
      ),
      description: Type.Optional(Type.String({ description: 'Its meaning.', examples: ['Who is greeted'] })),
      example: Type.Optional(Type.String({ description: 'An example value, for people to read.', examples: ['Ada'] })),
    },
    closed,
  ),
  output: MinionSchema,
  examples: [
    {
      title: 'With a default value',
      given: [examplePrompt],
      input: { prompt: 'Greeting', name: 'name', defaultValue: 'friend' },
    },
  ],
  deps,
  run: async ({ prompt, ...input }, { prompts }, { by }) =>
    prompts.variables.define(await prompts.resolve(prompt), input, { by }),
})

export const listVariables = defineOperation({
  name: 'prompts.listVariables',
  summary: 'List the declared variables of a prompt',
  access: 'read',
  input: Type.Object({ prompt: PromptName }, closed),
  output: Type.Array(MinionSchema),
  examples: [{ title: 'One variable', given, input: { prompt: 'Greeting' } }],
  deps,
  run: async ({ prompt }, { prompts }) => prompts.variables.list(await prompts.resolve(prompt)),
})

export const removeVariable = defineOperation({
  name: 'prompts.removeVariable',
  summary: 'Remove the declaration of a variable; the template stays as it is',
  access: 'write',
  atomic: true,
  input: Type.Object({ prompt: PromptName, name: Name }, closed),
  output: Type.Object({ name: Type.String(), removed: Type.Boolean() }),
  examples: [{ title: 'Remove a declaration', given, input: { prompt: 'Greeting', name: 'name' } }],
  deps,
  async run({ prompt, name }, { prompts }, { by }) {
    await prompts.variables.remove(await prompts.resolve(prompt), name, { by })
    return { name, removed: true }
  },
})
