// @ts-check
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { bullmqCollections, bullmqExecutor } from '@minions/bullmq'
import { memoryStorage } from '@minions/core/memory'
import { Store } from '@minions/core/storage'
import { jobsCollections } from '@minions/skills-runtime/jobs'
import { sqliteStorage } from '@minions/storage-sqlite'
import { Queue, Worker } from 'bullmq'

/** @import { StorageBackend } from '@minions/core/storage' */
/** @import { Bench } from '../area.mjs' */

const JOBS = 1000
const CONCURRENCY = 8
const ROUNDS = 7
const PICKUPS = 200

/** Jobs over the Redis at `MINIONS_TEST_REDIS_URL`. @param {Bench} bench */
export default async function (bench) {
  const url = env.MINIONS_TEST_REDIS_URL
  if (!url) return bench.leaveOut({ name: 'no-op jobs over BullMQ', note: 'set MINIONS_TEST_REDIS_URL' })
  const folder = mkdtempSync(join(tmpdir(), 'minions-bench-'))
  const bare = await openBare(url)
  const unrecorded = await openOurs(url, memoryStorage())
  const recorded = await openOurs(url, sqliteStorage({ path: join(folder, 'jobs.db') }))
  try {
    /** @type {Record<'bare' | 'unrecorded' | 'recorded', number[]>} */
    const times = { bare: [], unrecorded: [], recorded: [] }
    // One of each in turn, so that all meet the same load; the first round is for warming up.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, engine] of Object.entries({ bare, unrecorded, recorded })) {
        const started = performance.now()
        await engine.run(JOBS)
        if (round > 0) times[/** @type {keyof typeof times} */ (name)].push((performance.now() - started) / JOBS)
      }
    }
    const compared = { peerName: 'BullMQ alone', others: times.bare }
    const note = `${JOBS.toLocaleString('en')} jobs at once, ${CONCURRENCY} in hand, on one thread`
    bench.compared({
      ...compared,
      name: 'no-op jobs over BullMQ, records off',
      own: times.unrecorded,
      bar: 0.7,
      from: 'what the executor may cost',
      note: `${note}; jobs in memory`,
    })
    bench.compared({
      ...compared,
      name: 'no-op jobs over BullMQ, recorded in SQLite',
      own: times.recorded,
      note: `${note}; what records cost`,
    })
    const pickup = `${PICKUPS} jobs, from submit to the worker, one after another, in turn with the others`
    const [alone, inMemory, inSqlite] = await pickups([bare, unrecorded, recorded])
    bench.value({
      name: 'pickup over BullMQ on Redis, p50',
      value: inMemory ?? Number.NaN,
      unit: 'ms',
      bar: 3,
      from: 'what a queue may cost',
      note: `${pickup}; jobs in memory`,
    })
    const recordedName = 'pickup over BullMQ on Redis, p50, recorded in SQLite'
    bench.value({ name: recordedName, value: inSqlite ?? Number.NaN, unit: 'ms', note: pickup })
    bench.value({ name: 'pickup of BullMQ alone, p50', value: alone ?? Number.NaN, unit: 'ms', note: pickup })
  } finally {
    for (const engine of [bare, unrecorded, recorded]) await engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Counts jobs that were done. */
class Counter {
  /** @type {(() => void) | undefined} */
  #reached
  #remaining = 0

  /** @param {number} count @returns {Promise<void>} */
  expect(count) {
    this.#remaining = count
    return new Promise((resolve) => {
      this.#reached = resolve
    })
  }

  done() {
    if (--this.#remaining === 0) this.#reached?.()
  }
}

/** Medians of the time from adding a job to its begin, of several engines in turn. @param {{ pickup: () => Promise<number> }[]} engines */
async function pickups(engines) {
  /** @type {number[][]} */
  const times = engines.map(() => [])
  for (let n = 0; n < PICKUPS; n++) {
    for (const [index, engine] of engines.entries()) times[index]?.push(await engine.pickup())
  }
  return times.map((each) => each.sort((a, b) => a - b)[PICKUPS >> 1])
}

/** @param {Counter} counter @param {() => Promise<unknown>} add */
async function pickupOf(counter, add) {
  const done = counter.expect(1)
  const started = performance.now()
  const added = add()
  await done
  const time = performance.now() - started
  await added
  return time
}

/** BullMQ as its documentation shows it. @param {string} url */
async function openBare(url) {
  const prefix = `bench-${randomUUID()}`
  const connection = { url }
  const counter = new Counter()
  const queue = new Queue('bare', { connection, prefix })
  const worker = new Worker('bare', async () => counter.done(), { connection, prefix, concurrency: CONCURRENCY })
  await worker.waitUntilReady()
  const opts = { removeOnComplete: true }
  return {
    /** @param {number} count */
    async run(count) {
      const all = counter.expect(count)
      await queue.addBulk(Array.from({ length: count }, (_, n) => ({ name: 'no-op', data: { n }, opts })))
      await all
    },
    pickup: () => pickupOf(counter, () => queue.add('no-op', {}, opts)),
    async close() {
      await worker.close()
      await queue.obliterate({ force: true })
      await queue.close()
    },
  }
}

/** @param {string} url @param {StorageBackend} backend */
async function openOurs(url, backend) {
  const store = await Store.open(backend, [...jobsCollections, ...bullmqCollections])
  const executor = await bullmqExecutor({ url, prefix: `bench-${randomUUID()}`, store })
  const counter = new Counter()
  await executor.connect({
    worker_id: randomUUID(),
    concurrency: CONCURRENCY,
    tags: [],
    skills: () => [{ name: 'no-op', version: '1.0.0' }],
    async perform() {
      counter.done()
      return { status: 'completed', result: {} }
    },
  })
  return {
    /** @param {number} count */
    async run(count) {
      const all = counter.expect(count)
      await executor.submit(Array.from({ length: count }, (_, n) => ({ skill: 'no-op', params: { n } })))
      await all
    },
    pickup: () => pickupOf(counter, () => executor.submit([{ skill: 'no-op' }])),
    async close() {
      await executor.close()
      await store.close()
    },
  }
}
