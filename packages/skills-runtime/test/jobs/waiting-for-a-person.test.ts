import { approvals } from '@minions/approvals'
import { createMinions } from '@minions/host'
import { afterEach, describe, expect, it } from 'vitest'
import { defineSkill, skills } from '../../src/index.ts'
import { jobs } from '../../src/jobs/index.ts'
import { gate } from '../support/job-processes.js'

const rules = [{ name: 'pay', action: 'ask', kind: 'skill', call: 'pay', reason: 'it costs money' }] as const
const base = { version: '1.0.0', description: 'For a test.', parameters_schema: { type: 'object' } } as const

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** An app with one worker that does one job at a time, and what its skills do. */
async function open() {
  const app = await createMinions({ storage: 'memory:', plugins: [approvals({ rules }), skills(), jobs()] })
  closing.push(() => app.close())
  const done: string[] = []
  const [began, finish] = [gate(), gate()]
  let atOnce = 0
  let most = 0
  const during = async (name: string, work: Promise<void> = Promise.resolve()) => {
    most = Math.max(most, ++atOnce)
    await work
    atOnce--
    done.push(name)
    return {}
  }
  app.skills.registry.registerAll([
    defineSkill({ ...base, name: 'pay', execute: () => during('pay') }),
    defineSkill({ ...base, name: 'walk', execute: () => during('walk') }),
    defineSkill({
      ...base,
      name: 'climb',
      execute: () => {
        began.open()
        return during('climb', finish.opened)
      },
    }),
    defineSkill({
      ...base,
      name: 'halt',
      execute: async (_, context) => {
        began.open()
        await finish.opened
        await context.checkpoint({})
        return during('halt')
      },
    }),
  ])
  const worker = await app.jobs.work({ concurrency: 1 })
  const pending = async () => {
    await expect.poll(async () => (await app.approvals.list({ status: 'pending' })).items.length).toBe(1)
    return (await app.approvals.list({ status: 'pending' })).items[0]?.approval_id ?? ''
  }
  const submit = async (skill: string) => (await app.jobs.submit({ skill })).job_id
  return { app, worker, done, began, finish, pending, submit, most: () => most }
}

describe('a job that waits for a person', () => {
  it('leaves its slot to others, and goes on after the decision when there is one', async () => {
    const { app, done, began, finish, pending, submit, most } = await open()
    const pay = await submit('pay')
    const approval = await pending()
    expect((await app.jobs.wait(await submit('walk'))).status).toBe('completed')
    const climb = await submit('climb')
    await began.opened
    await app.approvals.approve(approval, { by: 'ada' })
    const later = await submit('walk')
    expect(done).toEqual(['walk'])
    finish.open()
    for (const id of [pay, climb, later]) expect((await app.jobs.wait(id)).status).toBe('completed')
    expect(done.toSorted()).toEqual(['climb', 'pay', 'walk', 'walk'])
    expect(most()).toBe(1)
  })

  it('fails when it is rejected, and ends when it is cancelled, without a slot', async () => {
    const { app, began, finish, pending, submit } = await open()
    const rejected = await submit('pay')
    await app.approvals.reject(await pending(), { by: 'ada', reason: 'too much' })
    expect((await app.jobs.wait(rejected)).status).toBe('failed')
    const cancelled = await submit('pay')
    await pending()
    const climb = await submit('climb')
    await began.opened
    await app.jobs.cancel(cancelled)
    expect((await app.jobs.wait(cancelled)).status).toBe('cancelled')
    finish.open()
    expect((await app.jobs.wait(climb)).status).toBe('completed')
    expect((await app.jobs.wait(await submit('walk'))).status).toBe('completed')
  })

  it('goes to another worker when its own is stopped, which does not wait for the person', async () => {
    const { app, worker, pending, submit } = await open()
    const pay = await submit('pay')
    const approval = await pending()
    await worker.stop()
    expect(await app.jobs.get(pay)).toMatchObject({ status: 'waiting', deliveries: 0 })
    await app.jobs.work({ concurrency: 1 })
    await app.approvals.approve(approval, { by: 'ada' })
    expect((await app.jobs.wait(pay)).status).toBe('completed')
  })

  it('leaves its slot to others while it is paused, too', async () => {
    const { app, done, began, finish, submit } = await open()
    const { job_id, agent_id } = await app.jobs.submit({ skill: 'halt' })
    await began.opened
    const state = () =>
      app.skills.get(agent_id).then(
        (agent) => agent.state,
        () => 'not stored yet',
      )
    await expect.poll(state).toBe('running')
    await app.skills.pause(agent_id)
    finish.open()
    await expect.poll(state).toBe('paused')
    expect((await app.jobs.wait(await submit('walk'))).status).toBe('completed')
    await app.skills.resume(agent_id)
    expect((await app.jobs.wait(job_id)).status).toBe('completed')
    expect(done).toEqual(['walk', 'halt'])
  })
})
