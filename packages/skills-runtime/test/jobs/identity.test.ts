import { generateId } from '@minions/core'
import { describe, expect, it } from 'vitest'
import { JobQueue } from '../../src/jobs/index.js'
import { JobWorker } from '../../src/jobs/worker/job-worker.js'
import { cluster, gate, process, skill } from '../support/job-processes.js'

/** A skill that does not notice when it is told to stop, the first time. */
function stubborn() {
  const [began, go] = [gate(), gate()]
  let runs = 0
  const slow = skill('slow', async () => {
    const run = ++runs
    if (run > 1) return { run }
    began.open()
    await go.opened
    return { run }
  })
  return { slow, began, go }
}

describe('a job of an id that was used before', () => {
  it('is done while the run of the removed job still goes on', async () => {
    const { slow, began, go } = stubborn()
    const { queue } = await process(cluster(), [slow])
    await queue.work()
    const first = await queue.submit({ skill: 'slow', id: 'x' })
    await began.opened
    await queue.cancel('x')
    await queue.remove('x')
    const second = await queue.submit({ skill: 'slow', id: 'x' })
    expect(second.agent_id).not.toBe(first.agent_id)
    expect(await queue.wait('x')).toMatchObject({ status: 'completed', result: { run: 2 }, releases: 0 })
    go.open()
  })

  it('is done only by its own run: the one before is told to stop', async () => {
    const [began, stopped] = [gate(), gate()]
    let runs = 0
    const wait = skill('wait', async (_, context) => {
      const run = ++runs
      if (run === 1) {
        context.signal.addEventListener('abort', stopped.open, { once: true })
        began.open()
      }
      await stopped.opened
      return { run }
    })
    const { queue } = await process(cluster(), [wait])
    await queue.work()
    await queue.submit({ skill: 'wait', id: 'x' })
    await began.opened
    await queue.cancel('x')
    await queue.resend('x')
    expect(await queue.wait('x')).toMatchObject({ status: 'completed', result: { run: 2 } })
  })
})

describe('a job whose subagent cannot begin', () => {
  it('is given back, and fails when that has happened too often', async () => {
    const { slow, began, go } = stubborn()
    const { queue, manager } = await process(cluster(), [slow])
    const job = await queue.submit({ skill: 'slow' })
    const running = manager.execute('slow', {}, { agentId: job.agent_id })
    await began.opened
    const worker = new JobWorker({ manager, workerId: 'w', concurrency: 1, tags: [] })
    const { signal } = new AbortController()
    const perform = (releases: number) => worker.perform({ job: { ...job, deliveries: 1, releases }, signal })
    expect(await perform(0)).toEqual({ status: 'released' })
    expect(await perform(100)).toMatchObject({ status: 'failed', error: { code: 'CONFLICT' } })
    go.open()
    await running
  })
})

describe('a job whose subagent is that of another', () => {
  it('fails, and does not return what the other one did', async () => {
    const secret = skill('secret', () => ({ secret: 'of alice' }))
    const free = ['job-1', 'alice', 'job-2', 'bob']
    const { queue, manager } = await process(cluster(), [secret], { ids: () => free.shift() ?? generateId() })
    await manager.execute('secret', {}, { agentId: 'alice', agent: { metadata: { by: 'alice' } } })
    await manager.execute('secret', {}, { agentId: 'bob', agent: { metadata: { job_id: 'another' } } })
    await queue.submit({ skill: 'secret' })
    await queue.submit({ skill: 'secret' })
    await queue.work()
    for (const job of ['job-1', 'job-2']) {
      expect(await queue.wait(job)).toMatchObject({ status: 'failed', result: null, error: { code: 'CONFLICT' } })
    }
    await queue.resend('job-1')
    expect(await queue.wait('job-1')).toMatchObject({ status: 'completed' })
  })
})

describe('an id that another job has', () => {
  it('is refused to other tenants, skills and schedules, without a word about the job', async () => {
    const { queue } = await process(cluster(), [])
    const job = { skill: 'walk', id: 'report', tenant: 'acme', params: { secret: 'of acme' } }
    const first = await queue.submit(job)
    expect(await queue.submit(job)).toEqual(first)
    const { tenant: _, ...unconfined } = job
    for (const other of [
      { ...job, tenant: 'globex' },
      unconfined,
      { ...job, skill: 'swim' },
      { ...job, scheduleId: 'nightly' },
    ]) {
      const error = await queue.submit(other).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'CONFLICT', details: { job_id: 'report' } })
      expect(JSON.stringify(error) + String(error)).not.toContain('acme')
    }
    const both = [
      { skill: 'walk', id: 'new', tenant: 'acme' },
      { skill: 'walk', id: 'new', tenant: 'globex' },
    ]
    await expect(queue.submitAll(both)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await queue.list()).toEqual([first])
  })

  it('does not keep other schedules from their jobs', async () => {
    const shared = cluster()
    let now = Date.parse('2026-01-31T02:59:00Z')
    const { queue: plain, store, manager } = await process(shared, [])
    const queue = new JobQueue({ executor: plain.executor, manager, store, clock: () => now })
    await queue.submit({ skill: 'tidy', id: 'a:20260131030000000' })
    for (const id of ['a', 'b']) await queue.schedules.save({ id, cron: '0 3 * * *', job: { skill: 'tidy' } })
    now = Date.parse('2026-01-31T03:00:00Z')
    expect(await queue.schedules.run()).toMatchObject([{ schedule_id: 'b' }])
    expect(await queue.schedules.list()).toMatchObject([
      { schedule_id: 'a', last_job_id: null, next_at: '2026-02-01T03:00:00.000Z' },
      { schedule_id: 'b', last_job_id: 'b:20260131030000000' },
    ])
  })
})
