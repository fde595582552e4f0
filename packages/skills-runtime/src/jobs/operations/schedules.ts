import { property } from '@minions/core/operations'
import { strictObject } from '@minions/core/schema'
import { Type } from 'typebox'
import { ScheduleSchema } from '../schedules/schedule-schema.js'
import { jobWork, operation, submittedBy } from './inputs.js'

const ScheduleReference = property.text('Id of the schedule.', 'nightly', { minLength: 1 })

const exampleSchedule = [
  'schedules.save',
  { id: 'nightly', cron: '0 3 * * *', job: { skill: 'patrol', params: { area: 'kitchen' } } },
] as const

export const save = operation({
  name: 'schedules.save',
  summary: 'Submit a job repeatedly, at certain times',
  description:
    'Processes that have workers watch the time, each by its own clock. Times missed while there was no worker are made up for once.',
  access: 'write',
  input: {
    id: ScheduleReference,
    cron: Type.String({
      description: 'Cron pattern of five fields, or six with seconds first.',
      examples: ['0 3 * * *', '@hourly'],
    }),
    timezone: Type.Optional(property.text('IANA time zone; UTC by default.', 'Europe/Berlin')),
    job: strictObject(jobWork, {
      description: 'What is submitted, as for jobs.submit.',
      examples: [{ skill: 'patrol', params: { area: 'kitchen' } }],
    }),
  },
  output: ScheduleSchema,
  examples: [
    { title: 'Every night at three', input: exampleSchedule[1] },
    { title: 'An invalid pattern', input: { ...exampleSchedule[1], cron: 'often' }, fails: 'VALIDATION_FAILED' },
  ],
  run: ({ job, ...schedule }, { jobs }, caller) =>
    jobs.schedules.save({ ...schedule, job: { ...job, ...submittedBy(caller) } }),
})

export const list = operation({
  name: 'schedules.list',
  summary: 'List schedules and when each is due next',
  access: 'read',
  input: {},
  output: Type.Array(ScheduleSchema),
  examples: [{ title: 'All of them', given: [exampleSchedule], input: {} }],
  run: (_, { jobs }) => jobs.schedules.list(),
})

export const pause = operation({
  name: 'schedules.pause',
  summary: 'Pause or continue a schedule',
  access: 'write',
  input: {
    schedule: ScheduleReference,
    paused: Type.Optional(Type.Boolean({ default: true, description: 'False lets it continue.', examples: [false] })),
  },
  output: ScheduleSchema,
  examples: [{ title: 'No jobs for now', given: [exampleSchedule], input: { schedule: 'nightly' } }],
  run: ({ schedule, paused = true }, { jobs }) => jobs.schedules.pause(schedule, paused),
})

export const remove = operation({
  name: 'schedules.remove',
  summary: 'Remove a schedule; jobs that it submitted stay',
  access: 'write',
  destructive: true,
  input: { schedule: ScheduleReference },
  output: Type.Object({ removed: Type.String({ description: 'Id of the schedule.' }) }),
  examples: [{ title: 'A schedule', given: [exampleSchedule], input: { schedule: 'nightly' } }],
  async run({ schedule }, { jobs }) {
    await jobs.schedules.remove(schedule)
    return { removed: schedule }
  },
})
