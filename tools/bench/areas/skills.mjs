// @ts-check
import { execFileSync } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineSkill, SubagentManager } from '@minions/skills-runtime'
import PQueue from 'p-queue'

/** @import { Bench } from '../area.mjs' */

const concurrency = 100
const executions = 100_000

/** Runs no-op skills through a manager that keeps nothing outside the process. @param {number} count */
async function throughManager(count) {
  const manager = new SubagentManager({ limits: { agents: concurrency }, keep: 1000 })
  manager.registry.registerSkill(
    defineSkill({ name: 'no-op', version: '1.0.0', parameters_schema: { type: 'object' }, execute: async () => ({}) }),
  )
  const one = async () => {
    const { agent_id } = await manager.spawn()
    await manager.run(agent_id, 'no-op')
  }
  await Promise.all(Array.from({ length: count }, one))
  await manager.shutdown()
}

/** @param {number} count */
async function throughQueue(count) {
  const queue = new PQueue({ concurrency })
  await Promise.all(Array.from({ length: count }, () => queue.add(async () => ({}))))
}

/** Megabytes that 1,000 subagents take while all of them run, measured in a process of their own. */
function megabytes() {
  const entry = fileURLToPath(new URL('../skills-memory.mjs', import.meta.url))
  return Number(execFileSync(execPath, ['--expose-gc', entry], { encoding: 'utf8' }))
}

/** @param {Bench} bench */
export default async function (bench) {
  await bench.compare({
    name: `${executions.toLocaleString('en')} no-op executions without persistence`,
    ours: () => throughManager(executions),
    peer: () => throughQueue(executions),
    peerName: 'p-queue',
    bar: 0.3,
    rounds: 3,
    note: `${concurrency} at once; a subagent is spawned for each`,
  })
  bench.value({
    name: '1,000 concurrent subagents',
    value: megabytes(),
    unit: 'MB',
    bar: 200,
    note: 'resident memory of the whole process',
  })
}
