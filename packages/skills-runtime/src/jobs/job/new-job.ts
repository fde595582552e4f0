import { type Clock, generateId } from '@minions/core'
import { copyJson, type JsonObject } from '@minions/core/json'
import { guarded, type IdSource, readClock, takeOptions } from '@minions/core/plugin'
import { optionalInteger, ownSchema, strictObject } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { AnySkillName, AnyVersion, Id } from '../../attributes.js'
import { skillsError } from '../../errors.js'
import { assertValid, attributeIssue, recordValidator } from '../../validation.js'
import { JOB_LIMITS, type Job, Tag } from './job-schema.js'
import { queueOf, tagKey } from './queue-name.js'

const Parameters = Type.Unsafe<JsonObject>({ type: 'object' })

/** The input for submitting a job. */
export const NewJobSchema = strictObject({
  id: Type.Optional(
    Type.String({
      ...Id,
      description: 'Id of the job, which is accepted once however often it is submitted; new by default.',
    }),
  ),
  skill: AnySkillName,
  version: Type.Optional(Type.String({ ...AnyVersion, description: 'Any version by default.' })),
  params: Type.Optional(Parameters),
  tags: Type.Optional(
    Type.Array(Tag, { maxItems: JOB_LIMITS.tags, description: 'Tags that the worker must have, such as gpu.' }),
  ),
  tenant: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Tenants get equal shares of the workers.' }),
  ),
  priority: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: '1 is the most urgent; 5.' })),
  delay: optionalInteger(0, 'Milliseconds to wait before it may run; 0.'),
  runAt: Type.Optional(
    Type.String({ description: 'Time before which it does not run, in RFC 3339; instead of `delay`.' }),
  ),
  maxRetries: optionalInteger(0, 'Retries after the first attempt; by default those of the skill.'),
  maxDeliveries: optionalInteger(1, 'Number of workers that may die on it before it counts as failed; 5.'),
  metadata: Type.Optional(Type.Unsafe<JsonObject>({ type: 'object', description: 'Kept with the job.' })),
})

/** The input for submitting a job. */
export interface NewJob extends Readonly<Static<typeof NewJobSchema>> {
  /** Slots of a worker that it takes: 0 for a job that only waits for others. 1 by default. */
  readonly weight?: 0 | 1
  /** The schedule that submits it. */
  readonly scheduleId?: string
}

const check = recordValidator(NewJobSchema)
const isJob = ownSchema(NewJobSchema)

/** The record of a submitted job. Throws `VALIDATION_FAILED`, also for parameters that are too large. */
export const newJob = guarded('newJob', newJobUnchecked, { callsBack: true })

function newJobUnchecked(input: NewJob, clock: Clock, nextId: IdSource = generateId): Job {
  const { weight = 1, scheduleId, ...given } = takeOptions('A job', input)
  if (!isJob().check(given)) assertValid('The job', check(given))
  const created_at = readClock(clock)
  const parameters = copyJson(given.params ?? {}, 'The parameters of a job')
  requireSize(given.skill, parameters)
  const job_id = given.id ?? nextId()
  const tags = [...new Set(given.tags)].sort()
  return {
    job_id,
    skill_name: given.skill,
    skill_version: given.version ?? null,
    parameters,
    tags,
    queue: queueOf(given.skill, given.version),
    tag_key: tagKey(tags),
    tenant_id: given.tenant ?? null,
    priority: given.priority ?? 5,
    rank: 0,
    weight,
    due_at: dueAt(given, Date.parse(created_at)),
    max_retries: given.maxRetries ?? null,
    max_deliveries: given.maxDeliveries ?? JOB_LIMITS.deliveries,
    deliveries: 0,
    releases: 0,
    status: 'waiting',
    // Not the id of the job, which its submitter chooses and may reuse: another subagent may have it.
    agent_id: nextId(),
    worker_id: null,
    schedule_id: scheduleId ?? null,
    metadata: copyJson(given.metadata ?? {}, 'The metadata of a job'),
    result: null,
    error: null,
    created_at,
    started_at: null,
    ended_at: null,
  }
}

/** A job without a delay does not depend on a clock, since the clocks of two machines may differ. */
function dueAt({ delay, runAt }: NewJob, now: number): number {
  if (runAt === undefined) return delay ? now + delay : 0
  const time = Date.parse(runAt)
  if (Number.isNaN(time) || delay !== undefined) {
    const problem = delay === undefined ? 'must be a time in RFC 3339' : 'cannot be given together with "delay"'
    assertValid('The job', [attributeIssue('runAt', 'FORMAT', problem, runAt)])
  }
  return Math.max(0, time)
}

function requireSize(skill: string, parameters: JsonObject): void {
  const bytes = new TextEncoder().encode(JSON.stringify(parameters)).length
  if (bytes <= JOB_LIMITS.parameters) return
  throw skillsError(
    'VALIDATION_FAILED',
    `The parameters of a job for "${skill}" take ${bytes} bytes, of at most ${JOB_LIMITS.parameters}; store large values ` +
      'and pass their ids.',
    { details: { bytes, limit: JOB_LIMITS.parameters } },
  )
}
