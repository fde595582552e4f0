import type { TSchema } from 'typebox'
import { MessageSchema } from '../bus/message/message-schema.js'
import { JobSchema } from '../jobs/job/job-schema.js'
import { ScheduleSchema } from '../jobs/schedules/schedule-schema.js'
import { SkillExecutionSchema } from '../runtime/executions/execution-schema.js'
import { ExecutionLogSchema } from '../runtime/executions/log-schema.js'
import { SubagentSchema } from '../runtime/subagents/subagent-schema.js'
import { SkillSchema } from '../skills/definition/skill-schema.js'
import { SkillRegistrySchema } from '../skills/registry/registry-schema.js'

/** The schemas that are published as JSON files, by the name of their file in `schemas/`. */
export const publishedSchemas: Readonly<Record<string, TSchema>> = {
  'execution-log': ExecutionLogSchema,
  job: JobSchema,
  message: MessageSchema,
  schedule: ScheduleSchema,
  skill: SkillSchema,
  'skill-execution': SkillExecutionSchema,
  'skill-registry': SkillRegistrySchema,
  subagent: SubagentSchema,
}
