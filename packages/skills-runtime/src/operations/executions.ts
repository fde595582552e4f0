import { property } from '@minions/core/operations'
import { Type } from 'typebox'
import { skillsError } from '../errors.js'
import { EXECUTION_STATUSES, SkillExecutionSchema } from '../runtime/executions/execution-schema.js'
import { ExecutionLogSchema, LOG_LEVELS } from '../runtime/executions/log-schema.js'
import { AgentReference, agentIdOf } from './agent-reference.js'
import { exampleRun, exampleSkills } from './example-skills.js'
import { ListLimit, NewestFirst, operation, SkillNameInput, started, VersionInput } from './inputs.js'

export const list = operation({
  name: 'executions.list',
  summary: 'List executions of skills, oldest first by default',
  access: 'read',
  input: {
    agent: Type.Optional(AgentReference),
    skill: Type.Optional(SkillNameInput),
    version: VersionInput,
    status: Type.Optional(property.list(Type.Enum(EXECUTION_STATUSES), 'One of these statuses.', 'failed')),
    ...started,
    limit: ListLimit,
    newestFirst: NewestFirst,
  },
  output: Type.Array(SkillExecutionSchema),
  examples: [{ title: 'What a subagent did', given: [exampleSkills, exampleRun], input: { agent: 'scout' } }],
  run: async ({ agent, skill, version, ...filter }, { skills }) =>
    skills.executions({
      ...filter,
      agent_id: agent && (await agentIdOf(skills, agent)),
      skill_name: skill,
      skill_version: version,
    }),
})

const { progress, lines, dropped } = ExecutionLogSchema.properties
const exampleId = 'b3f6a7c8-1d2e-4f5a-8b9c-0d1e2f3a4b5c'

export const get = operation({
  name: 'executions.get',
  summary: 'Get an execution with its progress and, on request, its log',
  access: 'read',
  input: {
    execution: property.text('Id of the execution.', exampleId),
    logs: property.flag('Include the lines of its log.'),
    level: Type.Optional(property.choice(LOG_LEVELS, 'The least urgent level of lines; all by default.', 'warn')),
  },
  output: Type.Object({
    ...SkillExecutionSchema.properties,
    progress,
    log: Type.Optional(Type.Object({ lines, dropped })),
  }),
  examples: [{ title: 'An id that no execution has', input: { execution: exampleId }, fails: 'NOT_FOUND' }],
  async run({ execution, logs = false, level }, { skills }) {
    const { progress = null, lines, dropped } = await skills.executionLog(execution, { level })
    const [found] = await skills.executions({ execution_id: execution, limit: 1 })
    if (!found) throw skillsError('NOT_FOUND', `The execution "${execution.slice(0, 100)}" was removed.`)
    return { ...found, progress, ...(logs && { log: { lines, dropped } }) }
  },
})
