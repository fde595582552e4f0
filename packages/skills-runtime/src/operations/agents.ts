import type { JsonObject } from '@minions/core/json'
import { defineOperation } from '@minions/core/operations'
import { Type } from 'typebox'
import { SkillExecutionSchema } from '../runtime/executions/execution-schema.js'
import type { SubagentManager } from '../runtime/manager/subagent-manager.js'
import { AGENT_STATES } from '../runtime/subagents/agent-state.js'
import { RESERVED_NAMES } from '../runtime/subagents/origin.js'
import { type Subagent, SubagentSchema } from '../runtime/subagents/subagent-schema.js'
import { AgentReference, agentIdOf } from './agent-reference.js'
import { exampleAgent, exampleRun, exampleSkills } from './example-skills.js'
import { AgentName, author, closed, deps, ListLimit, requireUnreserved, started } from './inputs.js'

export const spawn = defineOperation({
  name: 'agents.spawn',
  summary: 'Create an idle subagent',
  access: 'write',
  input: Type.Object(
    {
      name: AgentName,
      metadata: Type.Optional(
        Type.Unsafe<JsonObject>({
          type: 'object',
          description: `What else is known about it, at most 20 names; not ${RESERVED_NAMES.join(', ')}, which the runtime sets.`,
          examples: [{ floor: 2 }],
        }),
      ),
    },
    closed,
  ),
  output: SubagentSchema,
  examples: [
    { title: 'A subagent with a name', input: exampleAgent[1] },
    { title: 'In the name of another', input: { metadata: { by: 'ada' } }, fails: 'VALIDATION_FAILED' },
  ],
  deps,
  run: ({ name = null, metadata = {} }, { skills }, context) => {
    requireUnreserved(metadata)
    return skills.spawn({ name, metadata: { ...metadata, ...author(context) } })
  },
})

export const list = defineOperation({
  name: 'agents.list',
  summary: 'List subagents, oldest first',
  access: 'read',
  input: Type.Object(
    {
      state: Type.Optional(
        Type.Array(Type.Enum(AGENT_STATES), { description: 'In one of these states.', examples: [['running']] }),
      ),
      name: AgentName,
      skill: Type.Optional(
        Type.String({ description: 'Name of the skill that it runs or ran.', examples: ['patrol'] }),
      ),
      ...started,
      limit: ListLimit,
    },
    closed,
  ),
  output: Type.Array(SubagentSchema),
  examples: [{ title: 'Subagents without a skill', given: [exampleAgent], input: { state: ['idle'] } }],
  deps,
  run: ({ skill, ...filter }, { skills }) =>
    skills.list({ ...filter, ...(skill !== undefined && { assigned_skill: skill }) }),
})

export const get = defineOperation({
  name: 'agents.get',
  summary: 'Get a subagent with its executions',
  access: 'read',
  input: Type.Object({ agent: AgentReference }, closed),
  output: Type.Object({ ...SubagentSchema.properties, executions: Type.Array(SkillExecutionSchema) }),
  examples: [{ title: 'What a subagent did', given: [exampleSkills, exampleRun], input: { agent: 'scout' } }],
  deps,
  async run({ agent }, { skills }) {
    const agent_id = await agentIdOf(skills, agent)
    return { ...(await skills.get(agent_id)), executions: await skills.executions({ agent_id }) }
  },
})

export const pause = defineOperation({
  name: 'agents.pause',
  summary: 'Pause a running subagent at its next checkpoint',
  access: 'write',
  input: Type.Object({ agent: AgentReference }, closed),
  output: SubagentSchema,
  examples: [
    { title: 'Only a running one can pause', given: [exampleAgent], input: { agent: 'scout' }, fails: 'CONFLICT' },
  ],
  deps,
  run: async ({ agent }, { skills }) => skills.pause(await agentIdOf(skills, agent)),
})

export const resume = defineOperation({
  name: 'agents.resume',
  summary: 'Continue a paused subagent, or one whose process has ended',
  description: 'Cancelling the call stops the wait and leaves the subagent running.',
  access: 'write',
  input: Type.Object(
    {
      agent: AgentReference,
      wait: Type.Optional(
        Type.Boolean({ default: true, description: 'Wait until it has completed or failed.', examples: [false] }),
      ),
    },
    closed,
  ),
  output: SubagentSchema,
  examples: [
    {
      title: 'An idle one cannot continue',
      given: [exampleAgent],
      input: { agent: 'scout' },
      fails: 'CONFLICT',
    },
  ],
  deps,
  async run({ agent, wait }, { skills }, { signal }) {
    const id = await agentIdOf(skills, agent)
    const resumed = await skills.resume(id)
    return wait ? untilEnded(skills, id, signal) : resumed
  },
})

function untilEnded(skills: SubagentManager, agentId: string, signal: AbortSignal): Promise<Subagent> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    skills
      .wait(agentId)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}

export const cancel = defineOperation({
  name: 'agents.cancel',
  summary: 'End a subagent permanently',
  access: 'write',
  destructive: true,
  input: Type.Object({ agent: AgentReference }, closed),
  output: SubagentSchema,
  examples: [{ title: 'One that has not begun', given: [exampleAgent], input: { agent: 'scout' } }],
  deps,
  run: async ({ agent }, { skills }) => skills.cancel(await agentIdOf(skills, agent)),
})
