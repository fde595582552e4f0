import type { StorageBackend } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { defineSkill, type SkillsOptions, skills } from '@minions/skills-runtime'
import { Type } from 'typebox'
import { onTestFinished } from 'vitest'
import { type AgentPart, agents } from '../../src/agents/index.js'
import { type ModelsOptions, models } from '../../src/index.js'
import { quickTimers } from './app.js'

export interface AgentsAppOptions extends ModelsOptions {
  readonly agents: readonly AgentPart[]
  readonly storage?: string | StorageBackend
  readonly skills?: SkillsOptions
}

/** An app with models, skills and agents. */
export async function agentsApp({ agents: parts, storage = 'memory:', skills: runtime, ...options }: AgentsAppOptions) {
  const app = await createMinions({
    storage,
    plugins: [
      models({ environment: {}, random: () => 0, timers: quickTimers, ...options }),
      skills({ leaseMs: 300, ...runtime }),
      agents({ agents: parts }),
    ],
  })
  onTestFinished(() => app.close())
  return app
}

export const add = defineSkill({
  name: 'add',
  version: '1.0.0',
  description: 'Adds two numbers.',
  parameters_schema: Type.Object({ a: Type.Number(), b: Type.Number() }),
  execute: ({ a, b }) => ({ sum: a + b }),
})

export const fail = defineSkill({
  name: 'fail',
  version: '1.0.0',
  parameters_schema: Type.Object({}),
  execute: () => {
    throw new Error('the machine is out of paper')
  },
})
