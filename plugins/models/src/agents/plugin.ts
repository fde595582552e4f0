import { contractsRef } from '@minions/colony-contracts'
import { systemTimers, type Timers } from '@minions/core/coordination'
import { operations } from '@minions/core/operations'
import { agentRunner, definePlugin, guarded, optional, provide, tokens } from '@minions/core/plugin'
import { promptsRef } from '@minions/prompts'
import { skillsRef } from '@minions/skills-runtime'
import manifest from '../../package.json' with { type: 'json' }
import { modelsRef } from '../ref.js'
import { Agents } from './agents.js'
import type { AgentPart } from './definition.js'
import { agentOperations } from './operations.js'
import { agentsRef } from './ref.js'

export interface AgentsOptions {
  /** Agents, hand-overs and groups to register. */
  readonly agents?: readonly AgentPart[]
  readonly timers?: Timers
}

/** Agents with tools as a plugin: `app.agents`. Needs `models()` and `skills()`. */
export const agents = guarded('agents', ({ agents: parts = [], timers = systemTimers }: AgentsOptions = {}) => {
  return definePlugin({
    ref: agentsRef,
    version: manifest.version,
    deps: {
      models: modelsRef,
      skills: skillsRef,
      prompts: optional(promptsRef),
      contracts: optional(contractsRef),
      client: tokens.client,
      clock: tokens.clock,
    },
    contributes: [[operations, agentOperations]],
    provides: [provide(agentRunner, (api: Agents) => api)],
    setup({ client, ...services }) {
      const api = new Agents({ ...services, timers }, client)
      api.add(...parts)
      return api
    },
  })
})
