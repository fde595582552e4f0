import { defineOperation } from '@minions/core/operations'
import { Type } from 'typebox'
import { JOB_LIMITS, JOB_STATUSES, JobSchema } from '../job/job-schema.js'
import { closed, deps, exampleCancelled, exampleJob, JobReference, jobOf, jobWork, submittedBy } from './inputs.js'

export const submit = defineOperation({
  name: 'jobs.submit',
  summary: 'Submit an execution of a skill for any worker to run',
  description:
    'The job waits in the store until a worker that has the code of the skill takes it. Cancelling the call leaves the job as it is.',
  access: 'write',
  perTenant: true,
  input: Type.Object(
    {
      ...jobWork,
      delay: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Milliseconds before it may run.', examples: [60_000] }),
      ),
      runAt: Type.Optional(
        Type.String({
          description: 'Time before which it does not run, in RFC 3339.',
          examples: ['2026-01-31T09:30:00Z'],
        }),
      ),
      id: Type.Optional(
        Type.String({
          description: 'An id is accepted once; a new id by default.',
          examples: ['nightly-report-7'],
        }),
      ),
      wait: Type.Optional(Type.Boolean({ description: 'Answer when the job has ended.', examples: [true] })),
    },
    closed,
  ),
  output: JobSchema,
  examples: [{ title: 'A job that waits for a worker', input: exampleJob[1] }],
  deps,
  async run({ wait = false, ...job }, { jobs }, caller) {
    const { signal } = caller
    const submitted = await jobs.submit({ ...job, ...submittedBy(caller) })
    return wait ? jobs.wait(submitted.job_id, { signal }) : submitted
  },
})

export const list = defineOperation({
  name: 'jobs.list',
  summary: 'List jobs, oldest first',
  access: 'read',
  perTenant: true,
  input: Type.Object(
    {
      status: Type.Optional(
        Type.Array(Type.Enum(JOB_STATUSES), { description: 'One of these statuses.', examples: [['waiting']] }),
      ),
      skill: Type.Optional(Type.String({ description: 'For this skill.', examples: ['patrol'] })),
      worker: Type.Optional(Type.String({ description: 'Assigned to this worker.', examples: ['b3f6a7c8'] })),
      schedule: Type.Optional(Type.String({ description: 'Submitted by this schedule.', examples: ['nightly'] })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 10_000,
          description: 'Maximum number of jobs to list; 100.',
          examples: [20],
        }),
      ),
    },
    closed,
  ),
  output: Type.Array(JobSchema),
  examples: [{ title: 'What is waiting', given: [exampleJob], input: { status: ['waiting'] } }],
  deps,
  run: ({ status, skill, worker, schedule, limit }, { jobs }, { tenant }) =>
    jobs.list({
      ...(status && { status }),
      ...(skill !== undefined && { skill_name: skill }),
      ...(worker !== undefined && { worker_id: worker }),
      ...(schedule !== undefined && { schedule_id: schedule }),
      ...(limit !== undefined && { limit }),
      ...(tenant !== undefined && { tenant_id: tenant }),
    }),
})

export const get = defineOperation({
  name: 'jobs.get',
  summary: 'Get a job',
  access: 'read',
  perTenant: true,
  input: Type.Object({ job: JobReference }, closed),
  output: JobSchema,
  examples: [{ title: 'A job that waits', given: [exampleJob], input: { job: 'nightly-report-7' } }],
  deps,
  run: ({ job }, { jobs }, { tenant }) => jobOf(jobs, job, tenant),
})

export const cancel = defineOperation({
  name: 'jobs.cancel',
  summary: 'End a job, wherever it runs',
  access: 'write',
  destructive: true,
  perTenant: true,
  input: Type.Object({ job: JobReference }, closed),
  output: JobSchema,
  examples: [{ title: 'A job that waits', given: [exampleJob], input: { job: 'nightly-report-7' } }],
  deps,
  async run({ job }, { jobs }, { tenant }) {
    await jobOf(jobs, job, tenant)
    return jobs.cancel(job)
  },
})

export const deadLetters = defineOperation({
  name: 'jobs.deadLetters',
  summary: 'List jobs that failed, oldest first',
  access: 'read',
  perTenant: true,
  input: Type.Object(
    {
      skill: Type.Optional(Type.String({ description: 'For this skill.', examples: ['patrol'] })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 10_000,
          description: 'Maximum number of jobs to list; 100.',
          examples: [20],
        }),
      ),
    },
    closed,
  ),
  output: Type.Array(JobSchema),
  examples: [{ title: 'All of them', input: {} }],
  deps,
  run: ({ skill, limit }, { jobs }, { tenant }) =>
    jobs.deadLetters({
      ...(skill !== undefined && { skill_name: skill }),
      ...(limit !== undefined && { limit }),
      ...(tenant !== undefined && { tenant_id: tenant }),
    }),
})

export const resend = defineOperation({
  name: 'jobs.resend',
  summary: 'Resend a failed or cancelled job to the workers',
  access: 'write',
  perTenant: true,
  input: Type.Object({ job: JobReference }, closed),
  output: JobSchema,
  examples: [
    { title: 'One that was cancelled', given: [exampleJob, exampleCancelled], input: { job: 'nightly-report-7' } },
    { title: 'One that still waits', given: [exampleJob], input: { job: 'nightly-report-7' }, fails: 'CONFLICT' },
  ],
  deps,
  async run({ job }, { jobs }, { tenant }) {
    await jobOf(jobs, job, tenant)
    return jobs.resend(job)
  },
})

export const remove = defineOperation({
  name: 'jobs.remove',
  summary: 'Remove a job that has ended',
  access: 'write',
  destructive: true,
  perTenant: true,
  input: Type.Object({ job: JobReference }, closed),
  output: Type.Object({ removed: Type.String({ description: 'Id of the job.' }) }),
  examples: [
    { title: 'One that was cancelled', given: [exampleJob, exampleCancelled], input: { job: 'nightly-report-7' } },
  ],
  deps,
  async run({ job }, { jobs }, { tenant }) {
    await jobOf(jobs, job, tenant)
    await jobs.remove(job)
    return { removed: job }
  },
})

export const limit = defineOperation({
  name: 'jobs.limit',
  summary: 'Limit how many jobs of a skill run at once, across all workers',
  access: 'admin',
  input: Type.Object(
    {
      skill: Type.String({ minLength: 1, description: 'Name of a skill.', examples: ['patrol'] }),
      limit: Type.Union([Type.Integer({ minimum: 1, maximum: JOB_LIMITS.limit }), Type.Null()], {
        description: 'Jobs at once; null for any number.',
        examples: [2],
      }),
    },
    closed,
  ),
  output: Type.Object({ skill: Type.String(), limit: Type.Union([Type.Integer(), Type.Null()]) }),
  examples: [{ title: 'Two at a time', input: { skill: 'patrol', limit: 2 } }],
  deps,
  async run({ skill, limit }, { jobs }) {
    await jobs.limit(skill, limit)
    return { skill, limit }
  },
})
