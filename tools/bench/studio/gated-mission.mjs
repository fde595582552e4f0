// @ts-check
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { colony, exampleMission } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import { tasksOf } from '../layered-tasks.mjs'

/** Tasks that run at once. */
const CONCURRENCY = 16

/**
 * Starts a mission whose tasks end when `release` is called: the next one, or all that are left.
 *
 * @param {{ folder: string, storage: string, tasks: number }} options
 */
export async function gatedMission({ folder, storage, tasks }) {
  /** @type {(() => void)[]} */
  const held = []
  let isOpen = false
  const app = await createMinions({
    storage,
    plugins: [
      prompts(),
      workspace({ configDir: join(folder, 'workspaces'), store: 'storage' }),
      skills({ limits: { agents: CONCURRENCY } }),
      colonyContracts(),
      colony({
        concurrency: CONCURRENCY,
        roles: {
          planner: () => ({ tasks: tasksOf(tasks) }),
          async worker() {
            if (!isOpen) await new Promise((resolve) => held.push(() => resolve(undefined)))
            return { output_text: '', confidence: 1 }
          },
        },
      }),
    ],
  })
  const { time_budget_ms: _time, token_budget: _tokens, ...envelope } = exampleMission.envelope
  const id = randomUUID()
  const ended = app.colony.run({ ...envelope, mission_id: id, user_goal: `${tasks} tasks` })
  return {
    id,
    /** Resolves when a task waits for its release. */
    async waiting() {
      while (held.length === 0) await sleep(1)
    },
    /** Lets one task end; false if none waits. */
    release() {
      const resume = held.shift()
      resume?.()
      return resume !== undefined
    },
    async finish() {
      isOpen = true
      for (const resume of held.splice(0)) resume()
      await ended
      await app.close()
    },
  }
}
