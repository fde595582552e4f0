import { type Operation, operationsWith, property } from '@minions/core/operations'
import { Type } from 'typebox'
import { agentsRef } from './ref.js'
import { AgentInputSchema } from './skills.js'
import { AgentResultSchema } from './state.js'

const operation = operationsWith({ agents: agentsRef })

const offered = operation({
  name: 'agents.offered',
  summary: 'List the agents that can be asked',
  access: 'read',
  input: {},
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
  run: (_, { agents }) => agents.list(),
})

const ask = operation({
  name: 'agents.ask',
  summary: 'Ask an agent, and wait for its answer',
  description: 'Text is reported as progress, in chunks as it arrives, as `message`.',
  access: 'write',
  input: {
    agent: property.text('Name of the agent, or id or title of one of the store.', 'helper', { minLength: 1 }),
    input: AgentInputSchema.properties.input,
    messages: AgentInputSchema.properties.messages,
    tools: AgentInputSchema.properties.tools,
  },
  output: AgentResultSchema,
  examples: [
    { title: 'An agent that does not exist', input: { agent: 'nobody', input: 'Hello?' }, fails: 'NOT_FOUND' },
  ],
  async run({ agent, ...input }, { agents }, { by, tenant, signal, progress }) {
    let done = 0
    const onText = (message: string) => progress({ done: ++done, message })
    return agents.ask(agent, input, { by, tenant, signal, onText })
  },
})

/** Operations on agents that can be asked; those on subagents are of the skills runtime. */
export const agentOperations = [offered, ask] as const satisfies readonly Operation[]
