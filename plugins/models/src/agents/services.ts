import type { ColonyContracts } from '@minions/colony-contracts'
import type { Clock } from '@minions/core'
import type { Timers } from '@minions/core/coordination'
import type { PromptsApi } from '@minions/prompts'
import type { SubagentManager } from '@minions/skills-runtime'
import type { Models } from '../door/models.js'

export interface AgentServices {
  readonly skills: SubagentManager
  readonly models: Models
  readonly prompts: PromptsApi | undefined
  /** Policy of missions, which is consulted for every tool of an agent that works on a task. */
  readonly contracts: ColonyContracts | undefined
  readonly timers: Timers
  readonly clock: Clock
  /** Forwards text of an agent as it arrives; undefined without a listener. */
  listener(agentId: string): ((piece: string) => void) | undefined
}
