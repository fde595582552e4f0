import { guarded } from '@minions/core/plugin'
import { about, textMatching } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { AnySkillName, AnyVersion, Id, JsonRecord, Timestamp } from '../../attributes.js'

/**
 * The status of a job. `failed` jobs are the dead letters: they stay until they are resent or removed. `waiting`
 * includes jobs that are not due yet.
 */
export const JOB_STATUSES = ['waiting', 'running', 'completed', 'failed', 'cancelled'] as const

export type JobStatus = (typeof JOB_STATUSES)[number]

/** Final statuses of a job. */
export const ENDED_STATUSES = ['completed', 'failed', 'cancelled'] as const satisfies readonly JobStatus[]

/** Size limits of jobs. */
export const JOB_LIMITS = {
  /** Bytes of the parameters, as JSON in UTF-8. */
  parameters: 1_048_576,
  /** Tags of a job, and of a worker. */
  tags: 8,
  /** Jobs that are submitted at once. */
  batch: 10_000,
  /** The highest limit of a skill. */
  limit: 100_000,
  /** Workers that may die of a job, unless it says otherwise. */
  deliveries: 5,
} as const

export const Tag = textMatching('^[a-z0-9][a-z0-9._-]{0,49}$', {
  description: 'Lower-case letters, digits and `. _ -`, at most 50 characters.',
})

const Tenant = Type.String({ minLength: 1, maxLength: 128 })

const JobErrorSchema = Type.Object({
  code: about(Type.String(), 'Stable code of the error.'),
  message: about(Type.String(), 'What went wrong.'),
})

/** Why a job failed. */
export type JobError = Static<typeof JobErrorSchema>

const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** One execution of a skill, which any worker with the code of the skill may run. */
export const JobSchema = Type.Object({
  job_id: Id,
  skill_name: AnySkillName,
  skill_version: Type.Union([AnyVersion, Type.Null()], { description: 'Null for any version.' }),
  parameters: about(JsonRecord, 'Parameters of the skill.'),
  tags: Type.Array(Tag, { description: 'Tags that a worker must have, in order.' }),
  queue: Type.String({
    description: 'Skill and version that it waits for: `name@1.0.0`, or `name@*` for any version.',
  }),
  tag_key: Type.String({ description: 'The tags as one string, for queries.' }),
  tenant_id: Type.Union([Tenant, Type.Null()], { description: 'Tenants get equal shares of the workers.' }),
  priority: Type.Integer({ minimum: 1, maximum: 1000, description: '1 is the most urgent.' }),
  rank: Type.Integer({ minimum: 0, description: 'Position among jobs of the same priority; set by the executor.' }),
  weight: Type.Integer({
    minimum: 0,
    maximum: 1,
    description: 'Slots of a worker that it takes: 0 for a job that only waits for others.',
  }),
  due_at: Type.Integer({
    minimum: 0,
    description: 'Milliseconds since 1970 before which it does not run; 0: at once.',
  }),
  max_retries: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Retries after the first attempt; null for the default of the skill.',
  }),
  max_deliveries: Type.Integer({
    minimum: 1,
    description: 'Number of workers that may die on it before it counts as failed.',
  }),
  deliveries: Type.Integer({ minimum: 0, description: 'How often it was assigned to a worker.' }),
  releases: Type.Integer({ minimum: 0, description: 'How often a worker returned it undone.' }),
  status: about(Type.Enum(JOB_STATUSES), 'Its status; `failed` jobs are the dead letters.'),
  agent_id: Type.String({ ...Id, description: 'The subagent that runs it: its records, logs and progress.' }),
  worker_id: about(orNull(Type.String()), 'The worker that has it, or had it last.'),
  schedule_id: about(orNull(Type.String()), 'The schedule that submitted it.'),
  metadata: about(JsonRecord, 'Metadata from its submitter.'),
  result: about(Type.Union([JsonRecord, Type.Null()]), 'The result of the skill, once it is completed.'),
  error: about(Type.Union([JobErrorSchema, Type.Null()]), 'Why it failed.'),
  created_at: Timestamp,
  started_at: about(Type.Union([Timestamp, Type.Null()]), 'When a worker first started it.'),
  ended_at: about(Type.Union([Timestamp, Type.Null()]), 'When it ended.'),
})

export type Job = Static<typeof JobSchema>

/** True for a job that ended, well or not. */
export const hasEnded = guarded('hasEnded', ({ status }: Pick<Job, 'status'>): boolean =>
  (ENDED_STATUSES as readonly JobStatus[]).includes(status),
)
