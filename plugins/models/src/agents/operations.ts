import { defineOperation, type Operation } from '@minions/core/operations'
import { Type } from 'typebox'
import type { AgentInput } from './loop.js'
import { agentsRef } from './ref.js'
import { AgentInputSchema, AgentResultSchema } from './skills.js'

const deps = { agents: agentsRef }

const offered = defineOperation({
  name: 'agents.offered',
  summary: 'List the agents that can be asked',
  access: 'read',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(
    Type.Object({ name: Type.String(), description: Type.String(), source: Type.Enum(['code', 'store']) }),
  ),
  examples: [
    {
      title: 'An agent of the store',
      given: [['objects.create', { type: 'agent', title: 'Helper', fields: { role: 'Helps' } }]],
      input: {},
    },
  ],
  deps,
  run: (_, { agents }) => agents.list(),
})

const ask = defineOperation({
  name: 'agents.ask',
  summary: 'Ask an agent, and wait for its answer',
  description: 'Text is reported as progress, in chunks as it arrives, as `message`.',
  access: 'write',
  input: Type.Object(
    {
      agent: Type.String({
        minLength: 1,
        description: 'Name of the agent, or id or title of one of the store.',
        examples: ['helper'],
      }),
      input: AgentInputSchema.properties.input,
      messages: AgentInputSchema.properties.messages,
      tools: AgentInputSchema.properties.tools,
    },
    { additionalProperties: false },
  ),
  output: AgentResultSchema,
  examples: [
    { title: 'An agent that does not exist', input: { agent: 'nobody', input: 'Hello?' }, fails: 'NOT_FOUND' },
  ],
  deps,
  async run({ agent, ...input }, { agents }, { by, tenant, signal, progress }) {
    let done = 0
    const onText = (message: string) => progress({ done: ++done, message })
    return (await agents.ask(agent, input as AgentInput, { by, tenant, signal, onText })) as never
  },
})

/** Operations on agents that can be asked; those on subagents are of the skills runtime. */
export const agentOperations = [offered, ask] as const satisfies readonly Operation[]
