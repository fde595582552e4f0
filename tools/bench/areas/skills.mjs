// @ts-check
import { execFileSync } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineSkill, SubagentManager } from '@minions/skills-runtime'
import PQueue from 'p-queue'

/** @import { Bench } from '../area.mjs' */

const concurrency = 100
const executions = 20_000

/** Runs no-op skills through a manager that keeps nothing outside the process. @param {number} count */
async function throughManager(count) {
  const manager = new SubagentManager({ limits: { agents: concurrency }, keep: 1000 })
  manager.registry.registerSkill(
    defineSkill({ name: 'no-op', version: '1.0.0', parameters_schema: { type: 'object' }, execute: async () => ({}) }),
  )
  await inLanes(count, () => manager.execute('no-op'))
  await manager.shutdown()
}

/**
 * The same through a queue, whose waiting list is kept short: by a hundred lanes, as its `shift` of a long list is slow.
 *
 * @param {number} count
 */
async function throughQueue(count) {
  const queue = new PQueue({ concurrency })
  await inLanes(count, () => queue.add(async () => ({})))
}

/** @param {number} count @param {() => Promise<unknown>} one */
async function inLanes(count, one) {
  let left = count
  const lane = async () => {
    while (left-- > 0) await one()
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}

/** Megabytes that 1,000 subagents take while all of them run, measured in a process of their own. */
function megabytes() {
  const entry = fileURLToPath(new URL('../skills-memory.mjs', import.meta.url))
  return Number(execFileSync(execPath, ['--expose-gc', entry], { encoding: 'utf8' }))
}

/** @param {Bench} bench */
export default async function (bench) {
  await bench.compare({
    name: 'spawned no-op executions without persistence',
    ours: () => throughManager(executions),
    peer: () => throughQueue(executions),
    peerName: 'p-queue 9',
    bar: 1 / 8,
    from: 'a queue of promises alone: at most eight times as long',
    rounds: 5,
    note: `${executions.toLocaleString('en')} by ${concurrency} lanes; a subagent is spawned for each`,
  })
  bench.value({
    name: '1,000 concurrent subagents',
    value: megabytes(),
    unit: 'MB',
    bar: 200,
    from: 'what a small container has left',
    note: 'resident memory of the whole process',
  })
}
