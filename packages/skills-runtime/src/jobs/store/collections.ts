import { defineCollection } from '@minions/core/storage'
import { type Static, Type } from 'typebox'
import { AnySkillName, Timestamp } from '../../attributes.js'
import { JobSchema, Tag } from '../job/job-schema.js'
import { schedulesCollection } from '../schedules/schedule-schema.js'

const text = { type: 'string', required: true } as const
const integer = { type: 'number', required: true } as const

export const jobsCollection = defineCollection({
  name: 'jobs',
  version: 2,
  schema: JobSchema,
  key: 'job_id',
  columns: {
    status: text,
    queue: text,
    skill_name: text,
    tag_key: text,
    priority: integer,
    rank: integer,
    due_at: integer,
    weight: integer,
    tenant_id: { type: 'string' },
    worker_id: { type: 'string' },
    created_at: text,
    ended_at: { type: 'string' },
  },
  // None on the queue: a planner that trusts it to be selective sorts all waiting jobs for each claim.
  indexes: [
    ['status', 'priority', 'rank'],
    ['status', 'tenant_id', 'priority', 'rank'],
    ['status', 'weight'],
    ['status', 'ended_at'],
    ['worker_id', 'status'],
    ['skill_name', 'status'],
  ],
  createdAt: 'created_at',
})

/**
 * The public record of a worker. `beat` is the lease of all its jobs: it counts up while the worker is alive, so that
 * clocks are never compared.
 */
const WorkerRecordSchema = Type.Object({
  worker_id: Type.String(),
  beat: Type.Integer({ minimum: 0 }),
  lease_ms: Type.Integer({ minimum: 1, description: 'Milliseconds without a beat after which its jobs go to others.' }),
  host: Type.String(),
  pid: Type.Integer(),
  state: Type.Enum(['active', 'draining']),
  concurrency: Type.Integer({ minimum: 0 }),
  tags: Type.Array(Tag),
  skills: Type.Array(Type.String({ description: 'name@version' })),
  started_at: Timestamp,
  seen_at: Timestamp,
  completed: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0 }),
})

export type WorkerRecord = Static<typeof WorkerRecordSchema>

export const workersCollection = defineCollection({
  name: 'job_workers',
  schema: WorkerRecordSchema,
  key: 'worker_id',
})

const LimitSchema = Type.Object({ skill_name: AnySkillName, limit: Type.Integer({ minimum: 1 }) })

export const limitsCollection = defineCollection({
  name: 'job_limits',
  schema: LimitSchema,
  key: 'skill_name',
})

/** The collections of jobs, workers, limits and schedules. */
export const jobsCollections = [jobsCollection, workersCollection, limitsCollection, schedulesCollection] as const
