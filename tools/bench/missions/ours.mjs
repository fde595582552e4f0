// @ts-check
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { colony, exampleMission } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import { countQueries } from './count-queries.mjs'

/** @import { Engine } from './run.mjs' */

/** Missions of no-op tasks. @type {Engine} */
export async function ours({ storage, lanes }) {
  const queries = countQueries(
    createRequire(new URL('../../../packages/storage-postgres/package.json', import.meta.url)),
  )
  const folder = mkdtempSync(join(tmpdir(), 'minions-bench-'))
  const app = await createMinions({
    storage: storage === 'sqlite' ? `sqlite:${join(folder, 'missions.db')}` : storage,
    from: import.meta.url,
    plugins: [
      prompts(),
      workspace({ configDir: folder, store: 'storage' }),
      skills(),
      colonyContracts(),
      colony({
        concurrency: lanes,
        roles: {
          planner: ({ envelope }) => ({ tasks: tasksOf(Number(envelope.user_goal), lanes) }),
          worker: () => ({ output_text: '', confidence: 1 }),
        },
      }),
    ],
  })
  const { time_budget_ms: _, token_budget: __, ...envelope } = exampleMission.envelope
  return {
    queries,
    async run(tasks) {
      const result = await app.colony.run({ ...envelope, mission_id: randomUUID(), user_goal: String(tasks) })
      if (result.completed !== tasks) throw new Error(`${result.completed} tasks of ${tasks}: ${result.error}`)
    },
    async close() {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** As many chains as there are lanes. @param {number} size @param {number} lanes */
function tasksOf(size, lanes) {
  return Array.from({ length: size }, (_, index) => ({
    task_id: `task_${index}`,
    role_type: /** @type {const} */ ('worker'),
    objective: `Task ${index}.`,
    depends_on: index < lanes ? [] : [`task_${index - lanes}`],
    required_capabilities: [],
    allowed_tools: [],
    required_data_scopes: [],
    success_criteria: [],
  }))
}
