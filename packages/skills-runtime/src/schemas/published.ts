import type { TSchema } from 'typebox'
import { SkillExecutionSchema } from '../execution/execution-schema.js'
import { ExecutionLogSchema } from '../execution/log-schema.js'
import { MessageSchema } from '../message/message-schema.js'
import { SkillRegistrySchema } from '../registry/registry-schema.js'
import { SkillSchema } from '../skill/skill-schema.js'
import { SubagentSchema } from '../subagent/subagent-schema.js'

/** The schemas that are published as JSON files, by the name of their file in `schemas/`. */
export const publishedSchemas: Readonly<Record<string, TSchema>> = {
  'execution-log': ExecutionLogSchema,
  message: MessageSchema,
  skill: SkillSchema,
  'skill-execution': SkillExecutionSchema,
  'skill-registry': SkillRegistrySchema,
  subagent: SubagentSchema,
}
