// @ts-check
import { openApp } from './app.mjs'
import { withWorkers } from './processes.mjs'

/** @import { ProofStore } from './stores.mjs' */

const leaseMs = 5000

/**
 * Seconds that so many workers, all of which are ready, take for jobs of so many milliseconds.
 *
 * @param {ProofStore} store
 * @param {{ jobs: number, ms: number, workers: number, concurrency: number }} load
 */
export async function secondsFor({ options }, { jobs, ms, workers, concurrency }) {
  const app = await openApp({ ...options, leaseMs })
  try {
    return await withWorkers({ ...options, leaseMs, concurrency }, workers, async () => {
      const all = Array.from({ length: jobs }, () => ({ skill: 'sleep', params: { ms } }))
      const submitted = await app.jobs.submitAll(all)
      while ((await app.jobs.list({ status: ['waiting', 'running'], limit: 1 })).length > 0) await pause(100)
      const ended = await app.jobs.list({ job_id: submitted.map(({ job_id }) => job_id), limit: jobs })
      if (ended.some(({ status }) => status !== 'completed')) throw new Error('A job was not completed.')
      const first = Math.min(...ended.map(({ started_at }) => Date.parse(started_at ?? '')))
      const last = Math.max(...ended.map(({ ended_at }) => Date.parse(ended_at ?? '')))
      return (last - first) / 1000
    })
  } finally {
    await app.close()
  }
}

/**
 * Milliseconds from a submission to the begin of the job on an idle worker, sorted.
 *
 * @param {ProofStore} store
 * @param {number} count
 */
export async function pickupTimes({ options }, count) {
  const app = await openApp({ ...options, leaseMs })
  try {
    return await withWorkers({ ...options, leaseMs, concurrency: 1 }, 1, async () => {
      /** @type {number[]} */
      const times = []
      for (let index = 0; index < count; index++) {
        const { job_id } = await app.jobs.submit({ skill: 'sleep', params: { ms: 0 } })
        const submitted = Date.now()
        const { started_at } = await app.jobs.wait(job_id)
        times.push(Math.max(0, Date.parse(started_at ?? '') - submitted))
        await pause(20 + (index % 7) * 5)
      }
      return times.sort((a, b) => a - b)
    })
  } finally {
    await app.close()
  }
}

/** @param {number} milliseconds */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
