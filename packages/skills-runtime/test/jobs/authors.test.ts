import { runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { expect, it } from 'vitest'
import { skills } from '../../src/index.js'
import { jobs } from '../../src/jobs/index.js'
import { closing } from '../support/job-processes.js'

async function open() {
  const app = await createMinions({ storage: 'memory:', plugins: [skills(), jobs()] })
  closing.push(() => app.close())
  return (name: string, input: object) => runOperation(app, name, input, { by: 'alice', tenant: 'acme' })
}

it('submits the jobs of a schedule in the name of the caller who saved it', async () => {
  const run = await open()
  const save = (job: object) => run('schedules.save', { id: 'nightly', cron: '0 3 * * *', job })
  expect(await save({ skill: 'walk', params: { to: 'kitchen' } })).toMatchObject({
    job: { skill: 'walk', params: { to: 'kitchen' }, tenant: 'acme', metadata: { by: 'alice' } },
  })
  for (const more of [
    { metadata: { by: 'bob' } },
    { tenant: 'globex' },
    { weight: 0 },
    { scheduleId: 'another' },
    { maxDeliveries: 1000 },
  ]) {
    await expect(save({ skill: 'walk', ...more })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
})

it('spawns subagents in the name of the caller, whatever the metadata say', async () => {
  const run = await open()
  expect(await run('agents.spawn', { metadata: { floor: 2 } })).toMatchObject({ metadata: { floor: 2, by: 'alice' } })
  for (const name of ['by', 'tenant_id', 'mission_id', 'task_id', 'job_id']) {
    const spawned = run('agents.spawn', { metadata: { floor: 2, [name]: 'other' } })
    await expect(spawned).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
})
