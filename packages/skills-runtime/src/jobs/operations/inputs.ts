import { type OperationContext, operationsWith, property } from '@minions/core/operations'
import { Type } from 'typebox'
import { skillsError } from '../../errors.js'
import { type Job, Tag } from '../job/job-schema.js'
import type { JobQueue } from '../job-queue.js'
import { jobsRef } from '../ref.js'

export const operation = operationsWith({ jobs: jobsRef })

export const jobWork = {
  skill: property.text('Name of a skill that a worker has.', 'patrol', { minLength: 1 }),
  params: Type.Optional(
    property.record('Parameters that match the schema of the skill; at most 1 MiB.', { area: 'kitchen' }),
  ),
  version: Type.Optional(property.text('Version of the skill; any by default.', '1.0.0')),
  tags: Type.Optional(property.list(Tag, 'Tags that the worker must have.', 'gpu')),
  priority: Type.Optional(property.whole('1 is the most urgent; 5.', 1, { minimum: 1, maximum: 1000 })),
  maxRetries: Type.Optional(property.whole('Retries; by default those of the skill.', 2, { minimum: 0 })),
}

/** Metadata about the caller; input of the caller cannot override it. */
export function submittedBy({ by, tenant }: Pick<OperationContext, 'by' | 'tenant'>) {
  return { metadata: by === undefined ? {} : { by }, ...(tenant !== undefined && { tenant }) }
}

/** A job that examples work on; no worker has its skill, so it waits. */
export const exampleJob = [
  'jobs.submit',
  { skill: 'patrol', params: { area: 'kitchen' }, id: 'nightly-report-7' },
] as const

/** What operations on one job have in common. */
export const onOneJob = {
  perTenant: true,
  input: { job: property.text('Id of the job.', 'nightly-report-7', { minLength: 1 }) },
} as const

export const exampleCancelled = ['jobs.cancel', { job: 'nightly-report-7' }] as const

/** The job of a call that may be confined to a tenant. Throws `NOT_FOUND`. */
export async function jobOf(jobs: JobQueue, id: string, tenant: string | undefined): Promise<Job> {
  const job = await jobs.get(id)
  if (tenant === undefined || job.tenant_id === tenant) return job
  throw skillsError('NOT_FOUND', `There is no job "${id.slice(0, 128)}".`)
}
