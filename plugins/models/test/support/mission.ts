import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { colony, exampleMission, exampleTools, modelRoles } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { generateId } from '@minions/core'
import type { StorageBackend } from '@minions/core/storage'
import { type CreateMinionsOptions, createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import { afterAll } from 'vitest'
import { type ModelsOptions, models } from '../../src/index.js'
import { quickTimers } from './app.js'

export const folder = mkdtempSync(join(tmpdir(), 'minions-models-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Sources = Partial<Pick<CreateMinionsOptions<readonly []>, 'clock' | 'generateId'>>

/** An app in which models play every role. */
export function missionApp(
  options: ModelsOptions,
  storage: string | StorageBackend = 'memory:',
  sources: Sources = {},
) {
  return createMinions({
    storage,
    ...sources,
    plugins: [
      models({ environment: {}, random: () => 0, timers: quickTimers, ...options }),
      prompts(),
      workspace({ configDir: join(folder, 'config'), store: 'storage' }),
      skills({ leaseMs: 300 }),
      colonyContracts(),
      colony({ roles: modelRoles(), tools: exampleTools() }),
    ],
  })
}

export function envelope() {
  return { ...exampleMission.envelope, mission_id: generateId(), time_budget_ms: 600_000 }
}
