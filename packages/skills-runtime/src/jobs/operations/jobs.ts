import { property } from '@minions/core/operations'
import { Type } from 'typebox'
import { JOB_LIMITS, JOB_STATUSES, JobSchema } from '../job/job-schema.js'
import { exampleCancelled, exampleJob, jobOf, jobWork, onOneJob, operation, submittedBy } from './inputs.js'

const OfSkill = Type.Optional(property.text('For this skill.', 'patrol'))
const JobLimit = Type.Optional(
  property.whole('Maximum number of jobs to list; 100.', 20, { minimum: 1, maximum: 10_000 }),
)

export const submit = operation({
  name: 'jobs.submit',
  summary: 'Submit an execution of a skill for any worker to run',
  description:
    'The job waits in the store until a worker that has the code of the skill takes it. Cancelling the call leaves the job as it is.',
  access: 'write',
  perTenant: true,
  input: {
    ...jobWork,
    delay: Type.Optional(property.whole('Milliseconds before it may run.', 60_000, { minimum: 0 })),
    runAt: Type.Optional(property.text('Time before which it does not run, in RFC 3339.', '2026-01-31T09:30:00Z')),
    id: Type.Optional(property.text('An id is accepted once; a new id by default.', 'nightly-report-7')),
    wait: property.flag('Answer when the job has ended.'),
  },
  output: JobSchema,
  examples: [{ title: 'A job that waits for a worker', input: exampleJob[1] }],
  async run({ wait = false, ...job }, { jobs }, caller) {
    const submitted = await jobs.submit({ ...job, ...submittedBy(caller) })
    return wait ? jobs.wait(submitted.job_id, { signal: caller.signal }) : submitted
  },
})

export const list = operation({
  name: 'jobs.list',
  summary: 'List jobs, oldest first',
  access: 'read',
  perTenant: true,
  input: {
    status: Type.Optional(property.list(Type.Enum(JOB_STATUSES), 'One of these statuses.', 'waiting')),
    skill: OfSkill,
    worker: Type.Optional(property.text('Assigned to this worker.', 'b3f6a7c8')),
    schedule: Type.Optional(property.text('Submitted by this schedule.', 'nightly')),
    limit: JobLimit,
  },
  output: Type.Array(JobSchema),
  examples: [{ title: 'What is waiting', given: [exampleJob], input: { status: ['waiting'] } }],
  run: ({ status, skill, worker, schedule, limit }, { jobs }, { tenant }) =>
    jobs.list({ status, skill_name: skill, worker_id: worker, schedule_id: schedule, limit, tenant_id: tenant }),
})

export const get = operation({
  name: 'jobs.get',
  summary: 'Get a job',
  access: 'read',
  ...onOneJob,
  output: JobSchema,
  examples: [{ title: 'A job that waits', given: [exampleJob], input: { job: 'nightly-report-7' } }],
  run: ({ job }, { jobs }, { tenant }) => jobOf(jobs, job, tenant),
})

export const cancel = operation({
  name: 'jobs.cancel',
  summary: 'End a job, wherever it runs',
  access: 'write',
  destructive: true,
  ...onOneJob,
  output: JobSchema,
  examples: [{ title: 'A job that waits', given: [exampleJob], input: { job: 'nightly-report-7' } }],
  async run({ job }, { jobs }, { tenant }) {
    await jobOf(jobs, job, tenant)
    return jobs.cancel(job)
  },
})

export const deadLetters = operation({
  name: 'jobs.deadLetters',
  summary: 'List jobs that failed, oldest first',
  access: 'read',
  perTenant: true,
  input: { skill: OfSkill, limit: JobLimit },
  output: Type.Array(JobSchema),
  examples: [{ title: 'All of them', input: {} }],
  run: ({ skill, limit }, { jobs }, { tenant }) => jobs.deadLetters({ skill_name: skill, limit, tenant_id: tenant }),
})

export const resend = operation({
  name: 'jobs.resend',
  summary: 'Resend a failed or cancelled job to the workers',
  access: 'write',
  ...onOneJob,
  output: JobSchema,
  examples: [
    { title: 'One that was cancelled', given: [exampleJob, exampleCancelled], input: { job: 'nightly-report-7' } },
    { title: 'One that still waits', given: [exampleJob], input: { job: 'nightly-report-7' }, fails: 'CONFLICT' },
  ],
  async run({ job }, { jobs }, { tenant }) {
    await jobOf(jobs, job, tenant)
    return jobs.resend(job)
  },
})

export const remove = operation({
  name: 'jobs.remove',
  summary: 'Remove a job that has ended',
  access: 'write',
  destructive: true,
  ...onOneJob,
  output: Type.Object({ removed: Type.String({ description: 'Id of the job.' }) }),
  examples: [
    { title: 'One that was cancelled', given: [exampleJob, exampleCancelled], input: { job: 'nightly-report-7' } },
  ],
  async run({ job }, { jobs }, { tenant }) {
    await jobOf(jobs, job, tenant)
    await jobs.remove(job)
    return { removed: job }
  },
})

export const limit = operation({
  name: 'jobs.limit',
  summary: 'Limit how many jobs of a skill run at once, across all workers',
  access: 'admin',
  input: {
    skill: property.text('Name of a skill.', 'patrol', { minLength: 1 }),
    limit: Type.Union([Type.Integer({ minimum: 1, maximum: JOB_LIMITS.limit }), Type.Null()], {
      description: 'Jobs at once; null for any number.',
      examples: [2],
    }),
  },
  output: Type.Object({ skill: Type.String(), limit: Type.Union([Type.Integer(), Type.Null()]) }),
  examples: [{ title: 'Two at a time', input: { skill: 'patrol', limit: 2 } }],
  async run({ skill, limit }, { jobs }) {
    await jobs.limit(skill, limit)
    return { skill, limit }
  },
})
