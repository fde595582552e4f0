import type { ColonyContracts } from '@minions/colony-contracts'
import type { Clock, Logger, StoreAccess } from '@minions/core'
import type { PromptsApi } from '@minions/prompts'
import type { SubagentManager, Timers } from '@minions/skills-runtime'
import type { WorkspaceApi } from '@minions/workspace'
import type { Roles, Tools } from '../roles/role.js'
import type { PromptSettings } from './render-package.js'
import type { PriorityOf } from './task-queue.js'

/** What becomes of a mission when a task fails: it ends, the other branches go on, or the task is tried again first. */
export type FailurePolicy = (typeof FAILURE_POLICIES)[number]
export const FAILURE_POLICIES = ['fail', 'continue', 'retry'] as const

/** How missions are run; a run may choose otherwise. */
export interface MissionSettings {
  /** Tasks that run at the same time; 4 unless given. */
  readonly concurrency: number
  readonly onFailure: FailurePolicy
  /** Attempts at a task under `retry`, the first included; 3 unless given. */
  readonly maxAttempts: number
}

/** What missions are run with. */
export interface MissionServices extends MissionSettings {
  readonly roles: Roles
  readonly tools: Tools
  readonly priority: PriorityOf | undefined
  readonly prompt: PromptSettings
  readonly contracts: ColonyContracts
  readonly skills: SubagentManager
  readonly prompts: PromptsApi
  readonly workspace: WorkspaceApi
  readonly storage: StoreAccess
  readonly clock: Clock
  readonly timers: Timers
  /** For how long a process that says nothing counts as alive, in milliseconds. */
  readonly leaseMs: number
  readonly log: Logger
}
