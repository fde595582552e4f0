import { MinionsError } from '@minions/core'
import { runOperation } from '@minions/core/operations'
import { describe, expect, it } from 'vitest'
import { JobQueue } from '../../src/jobs/index.js'
import { closing, cluster, gate, process, skill } from '../support/job-processes.js'

describe('jobs done by subagents', () => {
  it('records the execution together with the end of the job, under the id of the job', async () => {
    const shared = cluster()
    const keys: string[] = []
    const walk = skill('walk', async ({ to }, context) => {
      keys.push(context.idempotencyKey)
      context.log.info('walking')
      context.progress(0.5)
      return { at: to }
    })
    const [here, there] = [await process(shared, []), await process(shared, [walk])]
    await there.queue.work()
    const { job_id } = await here.queue.submit({ skill: 'walk', params: { to: 'kitchen' }, tenant: 'acme' })
    const job = await here.queue.wait(job_id)
    expect(job).toMatchObject({ status: 'completed', result: { at: 'kitchen' }, deliveries: 1 })
    expect(keys).toEqual([job_id])
    const agent = await here.manager.get(job.agent_id)
    expect(agent).toMatchObject({ state: 'completed', metadata: { job_id, tenant_id: 'acme' } })
    const [execution] = await here.manager.executions({ agent_id: job.agent_id })
    expect(execution?.status).toBe('success')
    expect(
      (await here.manager.executionLog(execution?.execution_id as string)).lines.map(({ message }) => message),
    ).toEqual(['walking'])
  })

  it('takes a failure for a dead letter, and a new subagent does it when it is sent again', async () => {
    const shared = cluster()
    let isBroken = true
    const walk = skill('walk', () => {
      if (isBroken) throw new Error('no floor')
      return { ok: true }
    })
    const { queue } = await process(shared, [walk])
    await queue.work()
    const { job_id, agent_id } = await queue.submit({ skill: 'walk' })
    const failed = await queue.wait(job_id)
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'SKILL_FAILED' } })
    expect(await queue.deadLetters()).toEqual([failed])
    isBroken = false
    await queue.resend(job_id)
    const ended = await queue.wait(job_id)
    expect(ended.status).toBe('completed')
    expect(ended.agent_id).not.toBe(agent_id)
    expect(await queue.deadLetters()).toEqual([])
  })

  it('refuses parameters that do not fit on the worker, with a clear error', async () => {
    const { queue } = await process(cluster(), [
      skill('walk', () => ({}), { parameters_schema: { type: 'object', required: ['to'] } }),
    ])
    await queue.work()
    const { job_id } = await queue.submit({ skill: 'walk' })
    expect(await queue.wait(job_id)).toMatchObject({ status: 'failed', error: { code: 'VALIDATION_FAILED' } })
  })

  it('goes on from the last checkpoint when a worker is told to stop at once', async () => {
    const shared = cluster()
    const began = gate()
    const states: unknown[] = []
    const climb = (stop: boolean) =>
      skill('climb', async (_, context) => {
        states.push(context.state)
        if (context.state === undefined) await context.checkpoint({ height: 3 })
        if (!stop) return { height: (context.state as { height: number }).height }
        began.open()
        return new Promise(() => {})
      })
    const first = await process(shared, [climb(true)])
    const worker = await first.queue.work()
    const { job_id } = await first.queue.submit({ skill: 'climb' })
    await began.opened
    await worker.stop(0)
    expect((await first.queue.get(job_id)).status).toBe('waiting')
    const second = await process(shared, [climb(false)])
    await second.queue.work()
    expect(await second.queue.wait(job_id)).toMatchObject({ status: 'completed', result: { height: 3 } })
    expect(states).toEqual([undefined, { height: 3 }])
  })

  it('cancels the subagent of a job that is cancelled elsewhere', async () => {
    const shared = cluster()
    const [began, stopped] = [gate(), gate()]
    const wait = skill('wait', async (_, context) => {
      context.signal.addEventListener('abort', stopped.open, { once: true })
      await context.checkpoint({})
      began.open()
      return new Promise(() => {})
    })
    const [here, there] = [await process(shared, []), await process(shared, [wait])]
    const worker = await there.queue.work()
    const { job_id, agent_id } = await here.queue.submit({ skill: 'wait' })
    await began.opened
    await here.queue.cancel(job_id)
    await stopped.opened
    while (worker.running > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await here.manager.get(agent_id)).error).toBe('cancelled')
    expect((await here.queue.get(job_id)).status).toBe('cancelled')
  })

  it('is paused and resumed by a process that does not have the code of the skill', async () => {
    const shared = cluster()
    const [began, finish] = [gate(), gate()]
    const halt = skill('halt', async (_, context) => {
      await context.checkpoint({})
      began.open()
      await finish.opened
      await context.checkpoint({})
      return { ok: true }
    })
    const [here, there] = [await process(shared, []), await process(shared, [halt])]
    await there.queue.work()
    const { job_id, agent_id } = await here.queue.submit({ skill: 'halt' })
    await began.opened
    await here.manager.pause(agent_id)
    finish.open()
    await expect.poll(async () => (await here.manager.get(agent_id)).state).toBe('paused')
    await here.manager.resume(agent_id)
    expect(await here.queue.wait(job_id)).toMatchObject({ status: 'completed', result: { ok: true }, deliveries: 1 })
  })

  it('gives the jobs of a worker that fell silent to another, whatever its clock says, and refuses what it commits later', async () => {
    const shared = cluster({ leaseMs: 400 })
    const [began, go] = [gate(), gate()]
    const effects = new Set<string>()
    let ends = 0
    const slow = (first: boolean) =>
      skill('slow', async (_, context) => {
        effects.add(context.idempotencyKey)
        await context.checkpoint({})
        began.open()
        if (first) await go.opened
        ends++
        return { first }
      })
    const hour = 3_600_000
    const frozen = freezable()
    const silent = await process(shared, [slow(true)], { timers: frozen.timers, clock: () => Date.now() + hour })
    await silent.queue.work()
    const awake = await process(shared, [slow(false)])
    const { job_id } = await awake.queue.submit({ skill: 'slow' })
    await began.opened
    frozen.freeze()
    await awake.queue.work()
    const job = await awake.queue.wait(job_id)
    expect(job).toMatchObject({ status: 'completed', result: { first: false }, deliveries: 2 })
    frozen.thaw()
    go.open()
    while (ends < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    await silent.queue.close()
    expect(await awake.queue.get(job_id)).toEqual(job)
    expect([...effects]).toEqual([job_id])
  })

  it('keeps a job of which too many workers have died as a dead letter', async () => {
    const shared = cluster()
    const { queue, store } = await process(shared, [])
    const { job_id } = await queue.submit({ skill: 'walk', maxDeliveries: 2 })
    const { ledger } = await shared.join()
    const served = { queues: ['walk@*'], tagKeys: [''] }
    for (const worker of ['one', 'two']) {
      await ledger.claim(worker, served, 1)
      await ledger.takeFrom(worker)
    }
    expect(await queue.get(job_id)).toMatchObject({ status: 'failed', error: { code: 'WORKER_LOST' } })
    expect(await ledger.claim('three', served, 1)).toEqual([])
    await store.close()
  })

  it('refuses more jobs than may wait', async () => {
    const { queue } = await process(cluster({ maxWaiting: 2 }), [])
    await queue.submitAll([{ skill: 'walk' }, { skill: 'walk' }])
    await expect(queue.submit({ skill: 'walk' })).rejects.toMatchObject({ code: 'QUEUE_FULL' })
    expect(await queue.list()).toHaveLength(2)
  })

  it('refuses a worker that cannot be', async () => {
    const { queue } = await process(cluster(), [])
    for (const options of [
      { concurrency: 0 },
      { tags: ['GPU'] },
      { tags: Array.from({ length: 9 }, (_, n) => `t${n}`) },
    ]) {
      await expect(queue.work(options)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
    await expect(queue.limit('walk', 0)).rejects.toBeInstanceOf(MinionsError)
  })
})

/** Timers of a process that can be stopped as SIGSTOP does: nothing happens until it goes on, and then all of it. */
function freezable() {
  let isFrozen = false
  const late: (() => void)[] = []
  return {
    timers: {
      now: () => performance.now(),
      set(milliseconds: number, callback: () => void) {
        const handle = setTimeout(() => (isFrozen ? late.push(callback) : callback()), milliseconds)
        return () => clearTimeout(handle)
      },
    },
    freeze: () => {
      isFrozen = true
    },
    thaw: () => {
      isFrozen = false
      for (const callback of late.splice(0)) callback()
    },
  }
}

describe('schedules', () => {
  it('submit a job once for each time, however many processes watch the time', async () => {
    const shared = cluster()
    let now = Date.parse('2026-01-31T02:59:00Z')
    const clock = () => now
    const done: unknown[] = []
    const tidy = skill('tidy', ({ n }) => {
      done.push(n)
      return {}
    })
    const open = async () => {
      const created = await process(shared, [tidy], { clock })
      const { queue, store, manager } = created
      return { ...created, queue: new JobQueue({ executor: queue.executor, manager, store, clock }) }
    }
    const [here, there] = [await open(), await open()]
    const job = { skill: 'tidy', params: { n: 1 } }
    const saved = await here.queue.schedules.save({ id: 'nightly', cron: '0 3 * * *', job })
    expect(saved.next_at).toBe('2026-01-31T03:00:00.000Z')
    expect(await here.queue.schedules.run()).toEqual([])
    now = Date.parse('2026-01-31T03:00:00Z')
    await Promise.all([here.queue.schedules.run(), there.queue.schedules.run()])
    const [submitted, ...more] = await here.queue.list({ schedule_id: 'nightly' })
    expect(more).toEqual([])
    expect(submitted?.job_id).toBe('nightly:20260131030000000')
    // Two nights without a worker are made up for once.
    now = Date.parse('2026-02-02T12:00:00Z')
    await there.queue.schedules.run()
    await there.queue.schedules.run()
    expect(await here.queue.list({ schedule_id: 'nightly' })).toHaveLength(2)
    const [after] = await here.queue.schedules.list()
    expect(after).toMatchObject({ next_at: '2026-02-03T03:00:00.000Z', last_at: '2026-02-01T03:00:00.000Z' })
    await here.queue.schedules.pause('nightly')
    now = Date.parse('2026-02-04T12:00:00Z')
    expect(await here.queue.schedules.run()).toEqual([])
    await here.queue.schedules.remove('nightly')
    await expect(here.queue.schedules.remove('nightly')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await there.queue.work()
    await here.queue.wait('nightly:20260131030000000')
    expect(done[0]).toBe(1)
  })

  it('refuse patterns, time zones and jobs that cannot be used', async () => {
    const { queue } = await process(cluster(), [])
    const job = { skill: 'tidy' }
    for (const bad of [
      { cron: 'often', job },
      { cron: '0 3 * * *', timezone: 'Mars/Olympus', job },
      { cron: '0 3 * * *', job: { skill: '' } },
      { cron: '0 0 31 2 *', job },
    ]) {
      await expect(queue.schedules.save({ id: 'bad', ...bad })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
    expect(await queue.schedules.list()).toEqual([])
  })
})

describe('the plugin', () => {
  it('brings jobs to an app, and its operations keep tenants apart', async () => {
    const { createMinions } = await import('@minions/host')
    const { skills } = await import('../../src/index.js')
    const { jobs } = await import('../../src/jobs/index.js')
    const app = await createMinions({ storage: 'memory:', plugins: [skills(), jobs()] })
    closing.push(() => app.close())
    app.skills.registry.registerSkill(skill('walk', () => ({ ok: true })))
    await app.jobs.work()
    const input = { skill: 'walk', wait: true }
    const job = (await runOperation(app, 'jobs.submit', input, { tenant: 'acme', by: 'ada' })) as { job_id: string }
    expect(job).toMatchObject({ status: 'completed', tenant_id: 'acme', metadata: { by: 'ada' } })
    const get = (tenant: string) => runOperation(app, 'jobs.get', { job: job.job_id }, { tenant })
    expect(await get('acme')).toEqual(job)
    await expect(get('other')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await runOperation(app, 'jobs.list', {}, { tenant: 'other' })).toEqual([])
    expect(await runOperation(app, 'cluster.status', {})).toMatchObject({ waiting: 0, completed_last_minute: 1 })
  })
})
