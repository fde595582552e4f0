import { property } from '@minions/core/operations'
import { MinionSchema } from '@minions/core/schema'
import { Type } from 'typebox'
import { examplePrompt, operation, PromptName, Variables } from './inputs.js'

const given = [
  examplePrompt,
  ['objects.create', { type: 'agent', id: 'agent-1', title: 'Ada', fields: { role: 'Assistant' } }],
] as const
const bound = [...given, ['prompts.bindAgent', { agent: 'agent-1', prompt: 'Greeting' }]] as const

const AgentId = property.text('Id of the agent.', 'agent-1', { minLength: 1 })

export const bindAgent = operation({
  name: 'prompts.bindAgent',
  summary: 'Bind the system prompt of an agent to the published state of a prompt',
  access: 'write',
  atomic: true,
  input: { agent: AgentId, prompt: PromptName, variables: Type.Optional(Variables) },
  output: MinionSchema,
  examples: [
    { title: 'With a variable', given, input: { agent: 'agent-1', prompt: 'Greeting', variables: { name: 'Bob' } } },
  ],
  run: async ({ agent, prompt, variables = {} }, { prompts }, { by }) =>
    prompts.bindAgent(agent, await prompts.resolve(prompt), { variables, by }),
})

export const unbindAgent = operation({
  name: 'prompts.unbindAgent',
  summary: 'Unbind an agent from its prompt; it keeps its current text',
  access: 'write',
  atomic: true,
  input: { agent: AgentId },
  output: Type.Object({ unbound: Type.Boolean({ description: 'False when it was not bound.' }) }),
  examples: [{ title: 'Unbind an agent', given: bound, input: { agent: 'agent-1' } }],
  run: async ({ agent }, { prompts }, { by }) => ({ unbound: await prompts.unbindAgent(agent, { by }) }),
})

export const systemPrompt = operation({
  name: 'prompts.systemPrompt',
  summary: 'Get the system prompt that an agent currently runs with',
  access: 'read',
  input: { agent: AgentId },
  output: Type.Object({
    text: Type.Union([Type.String(), Type.Null()], { description: 'Null for an agent that has none.' }),
  }),
  examples: [{ title: 'Of a bound agent', given: bound, input: { agent: 'agent-1' } }],
  run: async ({ agent }, { prompts }) => ({ text: (await prompts.systemPrompt(agent)) ?? null }),
})
