import { repeat } from '@minions/core/coordination'
import { memoryStorage } from '@minions/core/memory'
import { type LogFields, type Logger, silentLogger } from '@minions/core/plugin'
import { Store } from '@minions/core/storage'
import { expect, it, onTestFinished } from 'vitest'
import { SubagentManager, skillsCollections } from '../../src/index.js'
import { JobQueue, jobsCollections, StoreExecutor } from '../../src/jobs/index.js'
import { WorkerRoster } from '../../src/jobs/store/worker-roster.js'
import { VirtualClock } from '../../src/testing/index.js'
import { skill } from '../support/job-processes.js'

const QUERIES = new Set(['get', 'getRevised', 'getMany', 'find', 'findRevised', 'count', 'put', 'write', 'claim'])
const MINUTE = 60_000

/** Milliseconds between two wakes without a commit, as on PostgreSQL; they drift against other timers. */
const POLL = 2030

/** Workers on one store, in virtual time. */
async function open() {
  const time = new VirtualClock()
  const backend = memoryStorage()
  const store = await Store.open(backend, [...skillsCollections, ...jobsCollections])
  const counted = { queries: 0 }
  const counting = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (QUERIES.has(String(name))) counted.queries++
        return Reflect.apply(value, target, args)
      }
    },
  })
  const warnings: { message: string; fields: LogFields | undefined }[] = []
  const log: Logger = { ...silentLogger, warn: (message, fields) => void warnings.push({ message, fields }) }
  const watch = (wake: () => void) => {
    const stops = [repeat(POLL, async () => wake(), fail, time.timers), backend.watchChanges?.(wake)]
    return () => {
      for (const stop of stops) stop?.()
    }
  }
  const join = async (skills: readonly string[]) => {
    const manager = await SubagentManager.open({ ...time.parts })
    manager.registry.registerAll(skills.map((name) => skill(name, () => ({}))))
    const executor = new StoreExecutor({ store: counting, watch, log, ...time.parts })
    const queue = new JobQueue({ executor, manager, store: counting, log, ...time.parts })
    onTestFinished(() => queue.close(0))
    return { queue, worker: await queue.work() }
  }
  return { time, store, counted, warnings, join }
}

function fail(error: unknown): never {
  throw error
}

it('begins a job within a tenth of a second, whatever it does meanwhile', async () => {
  const { time, join } = await open()
  const { queue } = await join(['walk'])
  for (let n = 0; n < 200; n++) {
    await time.advance(300 + ((n * 379) % 2000))
    const { job_id } = await queue.submit({ skill: 'walk' })
    await time.advance(100)
    expect(await queue.get(job_id)).toMatchObject({ status: 'completed' })
  }
})

it('begins delayed jobs when they are due', async () => {
  const { time, join } = await open()
  const { queue } = await join(['walk'])
  const delays = [40, 700, 700, 3000, 9000]
  const jobs = await queue.submitAll(delays.map((delay) => ({ skill: 'walk', delay })))
  await time.advance(10_000)
  for (const { job_id, due_at } of jobs) {
    const { status, started_at } = await queue.get(job_id)
    expect(status).toBe('completed')
    expect(Date.parse(started_at ?? '') - due_at).toBeLessThan(100)
  }
})

it('makes at most one query a second while it has nothing to do', async () => {
  const { time, counted, join } = await open()
  const { queue } = await join(['walk'])
  await queue.schedules.save({ id: 'yearly', cron: '0 0 1 7 *', job: { skill: 'walk' } })
  await time.advance(MINUTE)
  counted.queries = 0
  await time.advance(10 * MINUTE)
  expect(counted.queries).toBeLessThanOrEqual(600)
  expect(counted.queries).toBeGreaterThan(200)
})

it('makes no more queries in a large cluster, where the heartbeats of others are written all the time', async () => {
  const { time, counted, join } = await open()
  const workers = 40
  for (let n = 0; n < workers; n++) {
    await join(['walk'])
    await time.advance(730)
  }
  await time.advance(MINUTE)
  counted.queries = 0
  await time.advance(5 * MINUTE)
  expect(counted.queries / workers).toBeLessThanOrEqual(300)
})

it('forgets a worker that died while it was idle, and reports the jobs that only it could run', async () => {
  const { time, store, warnings, join } = await open()
  const { queue } = await join(['walk'])
  const roster = new WorkerRoster(store)
  const [{ record } = { record: undefined }] = await roster.all()
  if (!record) throw new Error('The worker is not in the roster.')
  await roster.join({ ...record, worker_id: 'dead', skills: ['swim@1.0.0'], beat: 7 })
  await queue.submitAll(Array.from({ length: 150 }, () => ({ skill: 'swim' })))
  await queue.submit({ skill: 'fly', tags: ['wings'] })
  await time.advance(MINUTE)
  expect((await queue.status()).unserved).toEqual(['fly@* [wings]'])
  await time.advance(2 * MINUTE)
  expect((await roster.all()).map(({ record: { worker_id } }) => worker_id)).toEqual([record.worker_id])
  expect((await queue.status()).unserved).toEqual(['fly@* [wings]', 'swim@*'])
  const reported = warnings.filter(({ message }) => message === 'no worker can run a waiting job')
  expect(reported.map(({ fields }) => fields?.queue)).toEqual(['fly@*', 'swim@*'])
})

it('keeps workers that are idle for long', async () => {
  const { time, store, join } = await open()
  const { worker } = await join(['walk'])
  const other = await join(['swim'])
  await time.advance(10 * MINUTE)
  const ids = (await new WorkerRoster(store).all()).map(({ record }) => record.worker_id)
  expect(ids.sort()).toEqual([worker.id, other.worker.id].sort())
})

it('counts neither draining nor silent workers among those that could run a job', async () => {
  const { time, store, join } = await open()
  const { queue, worker } = await join(['walk'])
  await queue.submit({ skill: 'walk', delay: MINUTE })
  expect((await queue.status()).unserved).toEqual([])
  const roster = new WorkerRoster(store)
  const [own] = await roster.all()
  if (!own) throw new Error('The worker is not in the roster.')
  await worker.stop(0)
  await roster.join({ ...own.record, state: 'draining' })
  expect((await queue.status()).unserved).toEqual(['walk@*'])
  await roster.leave(worker.id)
  await roster.join(own.record)
  expect((await queue.status()).unserved).toEqual([])
  await time.advance(2 * MINUTE)
  const { unserved, workers } = await queue.status()
  expect({ unserved, state: workers[0]?.state, lease: workers[0]?.lease_ms }).toEqual({
    unserved: ['walk@*'],
    state: 'silent',
    lease: 5000,
  })
})
