// @ts-check
import { isDeepStrictEqual } from 'node:util'
import { exampleMission } from '@minions/colony'
import { generateId } from '@minions/core'
import { openMissions } from './app.mjs'
import { leaseMs, maltreat, newCounts, OFFSETS } from './faults.mjs'

/** @import { ProofStore } from './stores.mjs' */

/**
 * Milliseconds that a worker is left alone for at most. One that lives for less than a lease cannot see that the lease of
 * another has run out, so a mission, whose tasks wait for each other, would hardly get on.
 */
const LIFE = 8000

/**
 * Runs missions, one after another, while the workers that do their tasks die. Resolves to what went wrong meanwhile; throws
 * when a mission did not complete, or has other artifacts than it has in one process without faults.
 *
 * @param {ProofStore} store
 * @param {{ missions: number, kills: number, seed: number }} plan so many missions at least, and more until so many workers were killed
 */
export async function missionsUnderFaults(store, { missions, kills, seed }) {
  const lead = await openMissions({ ...store.options, leaseMs })
  const alone = await openMissions({ storage: 'memory:', leaseMs, alone: true })
  const counts = newCounts()
  let isOver = false
  const dying = Promise.all(
    OFFSETS.map((clockOffset, index) =>
      maltreat(store, { clockOffset, missions: true }, seed + index, counts, () => isOver, LIFE),
    ),
  )
  try {
    let index = 0
    for (; index < missions || counts.killed < kills; index++) {
      const mission = newMission()
      const [result, expected] = [await lead.colony.run(mission), await alone.colony.run(mission)]
      if (result.status !== 'completed') throw new Error(`Mission ${index} is ${result.status}: ${result.error}`)
      if (isDeepStrictEqual(contents(result.artifacts), contents(expected.artifacts))) continue
      throw new Error(`Mission ${index} has other artifacts than it has without faults.`)
    }
    return { missions: index, ...counts }
  } finally {
    isOver = true
    await dying
    await lead.close()
    await alone.close()
  }
}

/** The example under a new id, and without budgets: faults cost time. */
function newMission() {
  const { time_budget_ms: _time, token_budget: _tokens, ...rest } = exampleMission.envelope
  return { ...rest, mission_id: generateId() }
}

/** What is the same whenever and by whom a mission is run. @param {readonly object[]} artifacts */
function contents(artifacts) {
  return JSON.parse(JSON.stringify(artifacts).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'))
}
