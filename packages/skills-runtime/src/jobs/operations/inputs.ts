import type { JsonObject } from '@minions/core/json'
import { Type } from 'typebox'
import { skillsError } from '../../errors.js'
import { type Job, Tag } from '../job/job-schema.js'
import type { JobQueue } from '../job-queue.js'
import { jobsRef } from '../ref.js'

export const deps = { jobs: jobsRef }

export const closed = { additionalProperties: false } as const

export const JobReference = Type.String({
  minLength: 1,
  description: 'Id of the job.',
  examples: ['nightly-report-7'],
})

/** Input fields shared by submitted and scheduled jobs. */
export const jobWork = {
  skill: Type.String({ minLength: 1, description: 'Name of a skill that a worker has.', examples: ['patrol'] }),
  params: Type.Optional(
    Type.Unsafe<JsonObject>({
      type: 'object',
      description: 'Parameters that match the schema of the skill; at most 1 MiB.',
      examples: [{ area: 'kitchen' }],
    }),
  ),
  version: Type.Optional(Type.String({ description: 'Version of the skill; any by default.', examples: ['1.0.0'] })),
  tags: Type.Optional(Type.Array(Tag, { description: 'Tags that the worker must have.', examples: [['gpu']] })),
  priority: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: '1 is the most urgent; 5.', examples: [1] }),
  ),
  maxRetries: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Retries; by default those of the skill.', examples: [2] }),
  ),
}

/** Metadata about the caller; input of the caller cannot override it. */
export function submittedBy({
  by,
  tenant,
}: {
  readonly by?: string | undefined
  readonly tenant?: string | undefined
}) {
  return { metadata: by === undefined ? {} : { by }, ...(tenant !== undefined && { tenant }) }
}

/** A job that examples work on; no worker has its skill, so it waits. */
export const exampleJob = [
  'jobs.submit',
  { skill: 'patrol', params: { area: 'kitchen' }, id: 'nightly-report-7' },
] as const

/** A job that was cancelled. */
export const exampleCancelled = ['jobs.cancel', { job: 'nightly-report-7' }] as const

/** The job of a call that may be confined to a tenant. Throws `NOT_FOUND`. */
export async function jobOf(jobs: JobQueue, id: string, tenant: string | undefined): Promise<Job> {
  const job = await jobs.get(id)
  if (tenant === undefined || job.tenant_id === tenant) return job
  throw skillsError('NOT_FOUND', `There is no job "${id.slice(0, 128)}".`)
}
