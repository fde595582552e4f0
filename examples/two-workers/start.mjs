// @ts-check
// A mission on two workers: `node examples/two-workers/start.mjs sqlite:./proofread.db`, after `npm run build`, while
// `minions worker` runs on the same store. See the README beside this file.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv } from 'node:process'
import { colony } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { generateId } from '@minions/core'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { jobs } from '@minions/skills-runtime/jobs'
import { workspace } from '@minions/workspace'
import roles from './roles.mjs'

/** @type {import('@minions/colony-contracts').MissionEnvelope} */
const envelope = {
  schema_name: 'mission_envelope',
  schema_version: 'v1',
  mission_id: generateId(),
  mission_type: 'proofreading',
  origin_surface: 'terminal',
  tenant_id: 'acme',
  actor_id: 'ada',
  user_goal: 'Proofread the manual.',
  normalized_goal: 'Proofread every chapter of the manual.',
  risk_level: 'low',
  sensitivity_class: 'public',
  time_budget_ms: 300_000,
  context_refs: { chapters: ['Install', 'Configure', 'Operate', 'Upgrade', 'Recover', 'Remove'] },
  created_at: new Date().toISOString(),
  producer: 'terminal',
}

const configDir = await mkdtemp(join(tmpdir(), 'two-workers-'))
const app = await createMinions({
  storage: argv[2] ?? 'sqlite:./proofread.db',
  plugins: [
    prompts(),
    workspace({ configDir, store: 'storage' }),
    colonyContracts(),
    skills(),
    jobs(),
    colony({ roles, concurrency: 6 }),
  ],
})
try {
  // This process leads the mission: it submits the plan, and each task whose dependencies are completed, as a job.
  const { status, completed } = await app.colony.run(envelope, { workers: true })
  console.log(`${status}: ${completed} tasks`)

  /** @type {Map<string | null, number>} */
  const jobsOf = new Map()
  for (const { worker_id } of await app.jobs.list({ status: 'completed' })) {
    jobsOf.set(worker_id, (jobsOf.get(worker_id) ?? 0) + 1)
  }
  for (const [worker, count] of jobsOf) console.log(`- worker ${worker}: ${count} jobs`)
} finally {
  await app.close()
  await rm(configDir, { recursive: true })
}
