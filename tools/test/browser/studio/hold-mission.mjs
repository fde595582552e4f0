// @ts-check
// A mission whose workers are held in this process, so that it can be looked at while it is under way.
import { join } from 'node:path'
import { colony, deterministicRoles, exampleMission } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import { storageOf } from './studio.mjs'

/** @import { Roles } from '@minions/colony' */

/**
 * Starts a mission on the store of a folder. `release` lets its workers go.
 *
 * @param {string} folder
 * @param {{ mission_id: string, user_goal?: string }} envelope
 * @param {{ free?: number }} [options] how many workers are let through at once
 */
export async function holdMission(folder, envelope, { free = 0 } = {}) {
  /** @type {() => void} */
  let release = () => {}
  const released = new Promise((resolve) => {
    release = () => resolve(undefined)
  })
  const { worker, ...others } = deterministicRoles()
  let begun = 0
  /** @type {Roles} */
  const roles = {
    ...others,
    async worker(input, context) {
      if (++begun > free) await Promise.race([released, aborted(context.signal)])
      return worker(input, context)
    },
  }
  const configDir = join(folder, 'store')
  const app = await createMinions({
    storage: storageOf(folder),
    plugins: [prompts(), workspace({ configDir, store: 'storage' }), colonyContracts(), skills(), colony({ roles })],
  })
  const ended = app.colony.run({ ...exampleMission.envelope, time_budget_ms: 600_000, ...envelope })
  // Whoever does not wait for the end does not hear of it.
  ended.catch(() => undefined)
  return { app, release, ended }
}

/** @param {AbortSignal} signal */
function aborted(signal) {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}
