import type { Executor, JobOutcome, WorkerEndpoint } from '@minions/skills-runtime/jobs'
import { afterEach, describe, expect, it } from 'vitest'
import { canStartServer, needsOwnServer, OwnServer } from '../../redis/test/support/own-server.ts'
import { withClient } from '../../redis/test/support/redis.ts'
import { TestCluster } from './support/cluster.ts'

let workers = 0

/** A worker that counts how often it did each job. */
class Counter implements WorkerEndpoint {
  readonly worker_id = `counter-${++workers}`
  readonly concurrency = 4
  readonly tags: readonly string[] = []
  readonly done = new Map<string, number>()
  running = 0

  skills() {
    return [{ name: 'walk', version: '1.0.0' }]
  }

  async perform({ job }: Parameters<WorkerEndpoint['perform']>[0]): Promise<JobOutcome> {
    this.done.set(job.job_id, (this.done.get(job.job_id) ?? 0) + 1)
    this.running++
    await new Promise((resolve) => setTimeout(resolve, 1))
    this.running--
    return { status: 'completed', result: {} }
  }
}

describe.skipIf(!canStartServer)('when Redis fails', needsOwnServer, () => {
  const servers: OwnServer[] = []
  const clusters: TestCluster[] = []

  afterEach(async () => {
    for (const cluster of clusters.splice(0)) await cluster.close()
    for (const server of servers.splice(0)) await server.dispose()
  })

  async function open() {
    const server = await new OwnServer().start()
    servers.push(server)
    const cluster = new TestCluster(server.url)
    clusters.push(cluster)
    const [here, there] = [await cluster.join(), await cluster.join()]
    const counters = [new Counter(), new Counter()]
    await here.connect(counters[0] as Counter)
    await there.connect(counters[1] as Counter)
    return { server, cluster, here, there, counters }
  }

  function jobs(count: number) {
    return Array.from({ length: count }, (_, n) => ({ skill: 'walk', params: { n } }))
  }

  /** Every job was completed, and done once. */
  async function expectAllOnce(executor: Executor, ids: readonly string[], counters: readonly Counter[]) {
    const ended = await Promise.all(ids.map((id) => executor.wait(id)))
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']))
    const times = ids.map((id) => counters.reduce((sum, counter) => sum + (counter.done.get(id) ?? 0), 0))
    expect(new Set(times)).toEqual(new Set([1]))
  }

  const total = (counters: readonly Counter[]) => counters.reduce((sum, { done }) => sum + done.size, 0)

  it('does every job once when all keys are deleted in the middle', async () => {
    const { server, here, there, counters } = await open()
    const submitted = await here.submit(jobs(200))
    await expect.poll(() => total(counters)).toBeGreaterThan(20)
    await server.command('FLUSHALL')
    submitted.push(...(await there.submit(jobs(50))))
    await expectAllOnce(
      here,
      submitted.map(({ job_id }) => job_id),
      counters,
    )
  })

  it('does every job once when Redis is killed, and those submitted meanwhile too', async () => {
    const { server, here, there, counters } = await open()
    const submitted = await here.submit(jobs(200))
    await expect.poll(() => total(counters)).toBeGreaterThan(20)
    await server.kill()
    submitted.push(...(await there.submit(jobs(50))))
    await server.start()
    submitted.push(...(await here.submit(jobs(50))))
    await expectAllOnce(
      here,
      submitted.map(({ job_id }) => job_id),
      counters,
    )
  })

  it('keeps jobs submitted while Redis is away, by a process that has announced none before', async () => {
    const server = await new OwnServer().start()
    servers.push(server)
    const cluster = new TestCluster(server.url)
    clusters.push(cluster)
    const here = await cluster.join()
    await server.kill()
    const submitted = await here.submit(jobs(3))
    const counter = new Counter()
    await here.connect(counter)
    await expectAllOnce(
      here,
      submitted.map(({ job_id }) => job_id),
      [counter],
    )
  })

  it('stops while Redis is away, also in the middle of a job', async () => {
    const { server, cluster, here, counters } = await open()
    await here.submit(jobs(200))
    await expect.poll(() => total(counters)).toBeGreaterThan(20)
    await server.kill()
    await cluster.close()
    expect(counters.every(({ running }) => running === 0)).toBe(true)
  })

  it('does a job once that is announced again and again', async () => {
    const { cluster, here, counters } = await open()
    const [job] = await here.submit([{ id: 'same', skill: 'walk' }])
    const { BullmqEngine } = await import('../src/engine/bullmq-engine.ts')
    const { redisBackend } = await import('../src/engine/redis-backend.ts')
    const { silentLogger } = await import('@minions/core/plugin')
    const backend = redisBackend(cluster.url, cluster.prefix)
    await backend.client.connect()
    const engine = new BullmqEngine(backend, silentLogger, 5000)
    for (let n = 0; n < 20; n++) await engine.add('walk@*', [0, n])
    const tickets = () => withClient(cluster.url, (client) => client.keys(`${cluster.prefix}:walk@*:[0-9]*`))
    await expect.poll(async () => (await tickets()).length).toBe(0)
    await expectAllOnce(here, [job?.job_id ?? ''], counters)
    await engine.close()
  })

  it('leaves no ticket behind', async () => {
    const { cluster, here, counters } = await open()
    const submitted = await here.submit(jobs(40))
    await expectAllOnce(
      here,
      submitted.map(({ job_id }) => job_id),
      counters,
    )
    const tickets = () => withClient(cluster.url, (client) => client.keys(`${cluster.prefix}:walk@*:[0-9]*`))
    await expect.poll(async () => (await tickets()).length).toBe(0)
  })

  it('does every job once while Redis is full, and says so to a process that starts meanwhile', async () => {
    const { server, cluster, here, counters } = await open()
    await server.command('CONFIG', 'SET', 'maxmemory', '1')
    const submitted = await here.submit(jobs(20))
    await expectAllOnce(
      here,
      submitted.map(({ job_id }) => job_id),
      counters,
    )
    await expect(cluster.join()).rejects.toMatchObject({
      code: 'QUEUE_SERVER_FULL',
      message: expect.stringContaining('127.0.0.1'),
    })
    await server.command('CONFIG', 'SET', 'maxmemory', '0')
    await cluster.join()
  })

  it('does every job once while Redis evicts its keys', async () => {
    const { server, here, there, counters } = await open()
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    await server.command('CONFIG', 'SET', 'maxmemory', '3mb')
    const submitted = await there.submit(jobs(100))
    await withClient(server.url, async (client) => {
      for (let n = 0; n < 1000; n++) await client.set(`other:${n}`, 'x'.repeat(5000))
    })
    expect(await server.command('INFO', 'stats')).toMatch(/evicted_keys:[1-9]/)
    submitted.push(...(await here.submit(jobs(100))))
    await expectAllOnce(
      here,
      submitted.map(({ job_id }) => job_id),
      counters,
    )
  })

  it('refuses the prefix of another store, and wrong credentials', async () => {
    const { server, cluster } = await open()
    const other = new TestCluster(server.url)
    clusters.push(other)
    await expect(other.join({ prefix: cluster.prefix })).rejects.toMatchObject({ code: 'PREFIX_IN_USE' })
    const locked = await new OwnServer(['--requirepass', 'right']).start()
    servers.push(locked)
    const url = locked.url.replace('redis://', 'redis://default:wrong-secret@')
    const joining = other.join({ url })
    await expect(joining).rejects.toMatchObject({ code: 'QUEUE_REFUSED' })
    await expect(joining).rejects.not.toMatchObject({ message: expect.stringContaining('wrong-secret') })
    await expect(other.join({ url: 'redis://127.0.0.1:1', connectTimeoutMs: 200 })).rejects.toMatchObject({
      code: 'QUEUE_UNREACHABLE',
    })
  })
})

describe('options', () => {
  it.each([
    [{ url: 'http://127.0.0.1' }, /\/url /],
    [{}, /\/url /],
    [{ url: 'redis://127.0.0.1', prefix: 'a:b' }, /\/prefix /],
    [{ url: 'redis://127.0.0.1', perfix: 'a' }, /\/perfix /],
  ])('%j are refused before anything is opened', async (options, message) => {
    const cluster = new TestCluster('redis://127.0.0.1')
    const joining = cluster.join({ url: undefined as never, prefix: undefined as never, ...options })
    await expect(joining).rejects.toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringMatching(message) })
    await cluster.close()
  })
})
