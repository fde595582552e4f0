import { defineOperation } from '@minions/core/operations'
import { Type } from 'typebox'
import { skillsError } from '../errors.js'
import { EXECUTION_STATUSES, SkillExecutionSchema } from '../runtime/executions/execution-schema.js'
import { ExecutionLogSchema, LOG_LEVELS } from '../runtime/executions/log-schema.js'
import { AgentReference, agentIdOf } from './agent-reference.js'
import { exampleRun, exampleSkills } from './example-skills.js'
import { closed, deps, ListLimit, SkillNameInput, started, VersionInput } from './inputs.js'

export const list = defineOperation({
  name: 'executions.list',
  summary: 'List executions of skills, oldest first',
  access: 'read',
  input: Type.Object(
    {
      agent: Type.Optional(AgentReference),
      skill: Type.Optional(SkillNameInput),
      version: VersionInput,
      status: Type.Optional(
        Type.Array(Type.Enum(EXECUTION_STATUSES), { description: 'One of these statuses.', examples: [['failed']] }),
      ),
      ...started,
      limit: ListLimit,
    },
    closed,
  ),
  output: Type.Array(SkillExecutionSchema),
  examples: [{ title: 'What a subagent did', given: [exampleSkills, exampleRun], input: { agent: 'scout' } }],
  deps,
  run: async ({ agent, skill, version, ...filter }, { skills }) =>
    skills.executions({
      ...filter,
      ...(agent !== undefined && { agent_id: await agentIdOf(skills, agent) }),
      ...(skill !== undefined && { skill_name: skill }),
      ...(version !== undefined && { skill_version: version }),
    }),
})

const { progress, lines, dropped } = ExecutionLogSchema.properties

export const get = defineOperation({
  name: 'executions.get',
  summary: 'Get an execution with its progress and, on request, its log',
  access: 'read',
  input: Type.Object(
    {
      execution: Type.String({
        description: 'Id of the execution.',
        examples: ['b3f6a7c8-1d2e-4f5a-8b9c-0d1e2f3a4b5c'],
      }),
      logs: Type.Optional(Type.Boolean({ description: 'Include the lines of its log.', examples: [true] })),
      level: Type.Optional(
        Type.Enum(LOG_LEVELS, {
          description: 'The least urgent level of lines; all by default.',
          examples: ['warn'],
        }),
      ),
    },
    closed,
  ),
  output: Type.Object({
    ...SkillExecutionSchema.properties,
    progress,
    log: Type.Optional(Type.Object({ lines, dropped })),
  }),
  examples: [
    {
      title: 'An id that no execution has',
      input: { execution: 'b3f6a7c8-1d2e-4f5a-8b9c-0d1e2f3a4b5c' },
      fails: 'NOT_FOUND',
    },
  ],
  deps,
  async run({ execution, logs = false, level }, { skills }) {
    const {
      progress = null,
      lines,
      dropped,
    } = await skills.executionLog(execution, level === undefined ? {} : { level })
    const [found] = await skills.executions({ execution_id: execution, limit: 1 })
    if (!found) throw skillsError('NOT_FOUND', `The execution "${execution.slice(0, 100)}" was removed.`)
    return { ...found, progress, ...(logs && { log: { lines, dropped } }) }
  },
})
