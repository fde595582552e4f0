import { abortable } from '@minions/core/coordination'
import { property } from '@minions/core/operations'
import { Type } from 'typebox'
import { SkillExecutionSchema } from '../runtime/executions/execution-schema.js'
import { AGENT_STATES } from '../runtime/subagents/agent-state.js'
import { RESERVED_NAMES } from '../runtime/subagents/origin.js'
import { SubagentSchema } from '../runtime/subagents/subagent-schema.js'
import { AgentReference, agentIdOf } from './agent-reference.js'
import { exampleAgent, exampleRun, exampleSkills } from './example-skills.js'
import { AgentName, author, ListLimit, NewestFirst, operation, requireUnreserved, started } from './inputs.js'

export const spawn = operation({
  name: 'agents.spawn',
  summary: 'Create an idle subagent',
  access: 'write',
  input: {
    name: AgentName,
    metadata: Type.Optional(
      property.record(
        `What else is known about it, at most 20 names; not ${RESERVED_NAMES.join(', ')}, which the runtime sets.`,
        { floor: 2 },
      ),
    ),
  },
  output: SubagentSchema,
  examples: [
    { title: 'A subagent with a name', input: exampleAgent[1] },
    { title: 'In the name of another', input: { metadata: { by: 'ada' } }, fails: 'VALIDATION_FAILED' },
  ],
  run: ({ name = null, metadata = {} }, { skills }, context) => {
    requireUnreserved(metadata)
    return skills.spawn({ name, metadata: { ...metadata, ...author(context) } })
  },
})

export const list = operation({
  name: 'agents.list',
  summary: 'List subagents, oldest first by default',
  access: 'read',
  input: {
    state: Type.Optional(property.list(Type.Enum(AGENT_STATES), 'In one of these states.', 'running')),
    name: AgentName,
    skill: Type.Optional(property.text('Name of the skill that it runs or ran.', 'patrol')),
    ...started,
    limit: ListLimit,
    newestFirst: NewestFirst,
  },
  output: Type.Array(SubagentSchema),
  examples: [{ title: 'Subagents without a skill', given: [exampleAgent], input: { state: ['idle'] } }],
  run: ({ skill, ...filter }, { skills }) => skills.list({ ...filter, assigned_skill: skill }),
})

export const get = operation({
  name: 'agents.get',
  summary: 'Get a subagent with its executions',
  access: 'read',
  input: { agent: AgentReference },
  output: Type.Object({ ...SubagentSchema.properties, executions: Type.Array(SkillExecutionSchema) }),
  examples: [{ title: 'What a subagent did', given: [exampleSkills, exampleRun], input: { agent: 'scout' } }],
  async run({ agent }, { skills }) {
    const agent_id = await agentIdOf(skills, agent)
    return { ...(await skills.get(agent_id)), executions: await skills.executions({ agent_id }) }
  },
})

export const pause = operation({
  name: 'agents.pause',
  summary: 'Pause a running subagent at its next checkpoint',
  access: 'write',
  input: { agent: AgentReference },
  output: SubagentSchema,
  examples: [
    { title: 'Only a running one can pause', given: [exampleAgent], input: { agent: 'scout' }, fails: 'CONFLICT' },
  ],
  run: async ({ agent }, { skills }) => skills.pause(await agentIdOf(skills, agent)),
})

export const resume = operation({
  name: 'agents.resume',
  summary: 'Continue a paused subagent, or one whose process has ended',
  description: 'Cancelling the call stops the wait and leaves the subagent running.',
  access: 'write',
  input: {
    agent: AgentReference,
    wait: Type.Optional(
      Type.Boolean({ default: true, description: 'Wait until it has completed or failed.', examples: [false] }),
    ),
  },
  output: SubagentSchema,
  examples: [
    { title: 'An idle one cannot continue', given: [exampleAgent], input: { agent: 'scout' }, fails: 'CONFLICT' },
  ],
  async run({ agent, wait }, { skills }, { signal }) {
    const id = await agentIdOf(skills, agent)
    const resumed = await skills.resume(id)
    return wait ? abortable(skills.wait(id), signal) : resumed
  },
})

export const cancel = operation({
  name: 'agents.cancel',
  summary: 'End a subagent permanently',
  access: 'write',
  destructive: true,
  input: { agent: AgentReference },
  output: SubagentSchema,
  examples: [{ title: 'One that has not begun', given: [exampleAgent], input: { agent: 'scout' } }],
  run: async ({ agent }, { skills }) => skills.cancel(await agentIdOf(skills, agent)),
})
