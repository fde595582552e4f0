// @ts-check
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { randomFrom } from '../torture/random.mjs'
import { commitsCollection, openApp } from './app.mjs'
import { killWorker, startWorker } from './processes.mjs'
import { pause } from './speed.mjs'

/** @import { ProofStore } from './stores.mjs' */

export const leaseMs = 1000
const HOUR = 3_600_000
/** Milliseconds by which the clock of each worker is wrong. */
export const OFFSETS = [0, HOUR, -HOUR, 0]
/** Jobs that wait while workers die. */
const ENOUGH = 40

/**
 * Lets workers die while they do jobs: they are killed, or stopped for longer than their lease and continued, their clocks are
 * an hour apart, and the connections of all are cut. Resolves to what was seen; throws when a job was lost, committed twice
 * or had its effect under two keys.
 *
 * @param {ProofStore} store
 * @param {{ kills: number, seed: number, minutes: number }} plan after so many minutes it is enough
 */
export async function faults(store, { kills, seed, minutes }) {
  const effects = join(store.folder, 'effects')
  mkdirSync(effects)
  const app = await openApp({ ...store.options, leaseMs })
  const counts = { jobs: 0, ...newCounts() }
  const end = Date.now() + minutes * 60_000
  const isOver = () => counts.killed >= kills || Date.now() > end
  try {
    const feeding = feed(app, counts, isOver)
    await Promise.all(
      OFFSETS.map((clockOffset, index) => maltreat(store, { clockOffset, effects }, seed + index, counts, isOver)),
    )
    await feeding
    // One that lives does what is left.
    const last = await startWorker({ ...store.options, leaseMs, concurrency: 8, effects })
    try {
      for (let n = 0; n < counts.jobs; n++) {
        const { status, error } = await app.jobs.wait(`job-${n}`)
        if (status !== 'completed') throw new Error(`job-${n} is ${status}: ${error?.message}`)
      }
    } finally {
      await killWorker(last)
    }
    await verify(app, counts.jobs, effects)
    return { ...counts, redelivered: await redelivered(app, counts.jobs) }
  } finally {
    await app.close()
  }
}

/**
 * How often what went wrong.
 *
 * @typedef {object} FaultCounts
 * @property {number} killed
 * @property {number} stopped
 * @property {number} cut
 * @property {number} lost
 */

/** @returns {FaultCounts} */
export function newCounts() {
  return { killed: 0, stopped: 0, cut: 0, lost: 0 }
}

/** Keeps workers busy until there were faults enough. @param {ProofApp} app @param {{ jobs: number }} counts @param {() => boolean} isOver */
async function feed(app, counts, isOver) {
  while (!isOver()) {
    const waiting = await app.jobs.list({ status: 'waiting', limit: ENOUGH }).catch(() => [])
    const more = Array.from({ length: ENOUGH - waiting.length }, (_, index) => ({
      id: `job-${counts.jobs + index}`,
      skill: 'sleep',
      params: { ms: 20 + (index % 5) * 40, record: true },
      maxDeliveries: 1000,
    }))
    // A connection that was cut in the middle leaves open whether they are there; submitted again they are once.
    await eventually(() => app.jobs.submitAll(more))
    counts.jobs += more.length
    await pause(100)
  }
}

/**
 * Starts a worker, lets it live for a moment, and kills it or lets it stand still for longer than its lease, again and again.
 *
 * @param {ProofStore} store
 * @param {object} options
 * @param {number} seed
 * @param {FaultCounts} counts
 * @param {() => boolean} isOver
 * @param {number} lifeMs a worker is left alone for at most so long
 */
export async function maltreat(store, options, seed, counts, isOver, lifeMs = 1000) {
  const random = randomFrom(seed)
  while (!isOver()) {
    const worker = await eventually(() => startWorker({ ...store.options, leaseMs, concurrency: 4, ...options }))
    await pause(random() * lifeMs)
    if (random() < 0.15) {
      worker.kill('SIGSTOP')
      await pause(leaseMs * 1.5)
      worker.kill('SIGCONT')
      counts.stopped++
      await pause(random() * 1000)
    }
    if (random() < 0.1) counts.cut += (await store.cutConnections?.().catch(() => 0)) ?? 0
    if (random() < 0.5) counts.lost += (await store.loseQueues?.()) ?? 0
    await killWorker(worker)
    counts.killed++
  }
}

/** What is done again until the store can be reached. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
async function eventually(work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 10) throw error
      await pause(100 * attempt)
    }
  }
}

/**
 * Milliseconds from the death of a worker to the moment at which another one has begun its job.
 *
 * @param {ProofStore} store
 * @param {number} times
 */
export async function takeOvers(store, times) {
  const app = await openApp({ ...store.options, leaseMs })
  const options = { ...store.options, leaseMs, concurrency: 1 }
  /** @type {number[]} */
  const took = []
  try {
    for (let index = 0; index < times; index++) {
      const first = await startWorker(options)
      const { job_id } = await app.jobs.submit({ skill: 'sleep', params: { ms: 1_000_000 } })
      while ((await app.jobs.get(job_id)).status !== 'running') await pause(10)
      const second = await startWorker(options)
      await killWorker(first)
      const died = performance.now()
      while ((await app.jobs.get(job_id)).deliveries < 2) await pause(5)
      took.push(performance.now() - died)
      await app.jobs.cancel(job_id)
      await killWorker(second)
    }
    return { leaseMs, took: took.sort((a, b) => a - b) }
  } finally {
    await app.close()
  }
}

/** @typedef {Awaited<ReturnType<typeof openApp>>} ProofApp */

/** @param {ProofApp} app @param {number} jobs @param {string} effects */
async function verify(app, jobs, effects) {
  const committed = new Map()
  for await (const { record } of app.proof.storage.iterate(commitsCollection, { limit: 1000 })) {
    committed.set(record.job_id, (committed.get(record.job_id) ?? 0) + 1)
  }
  const twice = [...committed].filter(([, count]) => count !== 1)
  if (twice.length > 0) throw new Error(`${twice.length} jobs were committed more than once: ${twice[0]?.[0]}`)
  if (committed.size !== jobs) throw new Error(`${jobs - committed.size} jobs were not committed.`)
  const keys = readdirSync(effects).length
  if (keys !== jobs) throw new Error(`${jobs} jobs had effects under ${keys} keys.`)
}

/** @param {ProofApp} app @param {number} jobs */
async function redelivered(app, jobs) {
  const all = await app.jobs.list({ status: 'completed', limit: jobs })
  return all.filter(({ deliveries }) => deliveries > 1).length
}
