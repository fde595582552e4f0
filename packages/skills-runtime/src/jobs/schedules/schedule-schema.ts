import { defineCollection } from '@minions/core/storage'
import { type Static, Type } from 'typebox'
import { Id, JsonRecord, Timestamp } from '../../attributes.js'
import type { NewJob } from '../job/new-job.js'

/** A schedule, which submits a job repeatedly. */
export const ScheduleSchema = Type.Object({
  schedule_id: Id,
  cron: Type.String({ description: 'Five fields, or six with seconds first; or `@daily` and similar.' }),
  timezone: Type.String({ description: 'IANA time zone, such as Europe/Berlin.' }),
  job: Type.Unsafe<NewJob>({ ...JsonRecord, description: 'What is submitted, as for `jobs.submit`.' }),
  paused: Type.Boolean({ description: 'True while it submits nothing.' }),
  next_at: Type.Union([Timestamp, Type.Null()], { description: 'Null when the schedule has no further time.' }),
  last_at: Type.Union([Timestamp, Type.Null()], { description: 'When it last submitted a job.' }),
  last_job_id: Type.Union([Id, Type.Null()], { description: 'The job that it submitted last.' }),
  created_at: Timestamp,
})

export type Schedule = Static<typeof ScheduleSchema>

export const schedulesCollection = defineCollection({
  name: 'job_schedules',
  schema: ScheduleSchema,
  key: 'schedule_id',
})
