import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApprovalsOptions, approvals } from '@minions/approvals'
import { type ColonyContractsOptions, colonyContracts, type MissionEnvelope } from '@minions/colony-contracts'
import { type Clock, generateId } from '@minions/core'
import type { StorageBackend } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { type SkillsOptions, skills } from '@minions/skills-runtime'
import { jobs } from '@minions/skills-runtime/jobs'
import { workspace } from '@minions/workspace'
import { afterAll } from 'vitest'
import { type ColonyOptions, colony, deterministicRoles, exampleMission } from '../../src/index.ts'

export const folder = mkdtempSync(join(tmpdir(), 'minions-colony-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

export interface AppOptions extends Partial<ColonyOptions> {
  readonly storage?: StorageBackend | string
  readonly clock?: Clock
  readonly contracts?: ColonyContractsOptions
  readonly skills?: SkillsOptions
  readonly approvals?: ApprovalsOptions
}

/** An app with everything that missions need. */
export function createApp({
  storage = 'memory:',
  clock,
  contracts,
  skills: skillsOptions,
  approvals: approvalsOptions,
  ...rest
}: AppOptions = {}) {
  const options: ColonyOptions = { roles: deterministicRoles(), ...rest }
  return createMinions({
    storage,
    ...(clock && { clock }),
    plugins: [
      prompts(),
      workspace({ configDir: join(folder, 'config'), store: 'storage' }),
      approvals(approvalsOptions),
      skills(skillsOptions),
      jobs(),
      colonyContracts(contracts),
      colony(options),
    ],
  })
}

export type TestApp = Awaited<ReturnType<typeof createApp>>

/** The envelope of the example under a new id, without budgets by default. */
export function envelope(changes: Partial<MissionEnvelope> = {}): MissionEnvelope {
  const { time_budget_ms: _time, token_budget: _tokens, ...rest } = exampleMission.envelope
  return { ...rest, mission_id: generateId(), ...changes }
}
