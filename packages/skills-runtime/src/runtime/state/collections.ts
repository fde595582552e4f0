import { defineCollection } from '@minions/core/storage'
import { messagesCollection } from '../../bus/message/message-store.js'
import { AnySkillSchema } from '../../skills/definition/skill-schema.js'
import { SkillExecutionSchema } from '../executions/execution-schema.js'
import { ExecutionLogSchema } from '../executions/log-schema.js'
import { SubagentSchema } from '../subagents/subagent-schema.js'
import { CheckpointSchema, LeaseSchema, PauseRequestSchema, RunSchema } from './records.js'

export const skillsCollection = defineCollection({
  name: 'skills',
  schema: AnySkillSchema,
  key: ['name', 'version'],
})

export const subagentsCollection = defineCollection({
  name: 'subagents',
  schema: SubagentSchema,
  key: 'agent_id',
  columns: {
    state: { type: 'string', required: true, indexed: true },
    created_at: { type: 'string', required: true, indexed: true },
  },
  createdAt: 'created_at',
})

export const executionsCollection = defineCollection({
  name: 'executions',
  schema: SkillExecutionSchema,
  key: 'execution_id',
  columns: {
    agent_id: { type: 'string', required: true, indexed: true },
    skill_name: { type: 'string', required: true, indexed: true },
    status: { type: 'string', required: true, indexed: true },
    started_at: { type: 'string', indexed: true },
  },
  references: [{ columns: ['agent_id'], collection: 'subagents' }],
  createdAt: 'started_at',
})

export const executionLogsCollection = defineCollection({
  name: 'execution_logs',
  schema: ExecutionLogSchema,
  key: 'execution_id',
})

export const leasesCollection = defineCollection({
  name: 'skill_leases',
  schema: LeaseSchema,
  key: 'agent_id',
})

export const checkpointsCollection = defineCollection({
  name: 'skill_checkpoints',
  schema: CheckpointSchema,
  key: 'execution_id',
})

export const pauseRequestsCollection = defineCollection({
  name: 'skill_pause_requests',
  schema: PauseRequestSchema,
  key: 'agent_id',
})

export const runsCollection = defineCollection({ name: 'skill_runs', schema: RunSchema, key: 'agent_id' })

/** All collections of the runtime, for opening a store without the host. */
export const skillsCollections = [
  skillsCollection,
  subagentsCollection,
  executionsCollection,
  executionLogsCollection,
  leasesCollection,
  checkpointsCollection,
  pauseRequestsCollection,
  runsCollection,
  messagesCollection,
] as const
