import type { ColonyContracts } from '@minions/colony-contracts'
import type { Clock } from '@minions/core'
import type { Timers } from '@minions/core/coordination'
import type { ApprovalGate, LanguageModels, Logger } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'
import type { PromptsApi } from '@minions/prompts'
import type { SubagentManager } from '@minions/skills-runtime'
import type { JobQueue } from '@minions/skills-runtime/jobs'
import type { WorkspaceApi } from '@minions/workspace'
import type { Tools } from '../roles/role.js'
import type { RoleBook } from '../roles/role-book.js'
import type { PromptSettings } from './render-package.js'
import type { PriorityOf } from './task-queue.js'

/** What happens when a task fails: the mission ends, the other branches continue, or the task is retried first. */
export type FailurePolicy = (typeof FAILURE_POLICIES)[number]
export const FAILURE_POLICIES = ['fail', 'continue', 'retry'] as const

/** Defaults for running missions; a run may override them. */
export interface MissionSettings {
  /** Tasks that run at the same time; 4 by default. */
  readonly concurrency: number
  readonly onFailure: FailurePolicy
  /** Attempts at a task under `retry`, including the first; 3 by default. */
  readonly maxAttempts: number
  /** True if workers on the store, in any process, perform the tasks instead of this process. */
  readonly workers: boolean
}

export interface MissionServices extends MissionSettings {
  readonly roles: RoleBook
  readonly tools: Tools
  readonly priority: PriorityOf | undefined
  readonly prompt: PromptSettings
  readonly contracts: ColonyContracts
  readonly skills: SubagentManager
  /** Delivers tasks to workers, if the app can. */
  readonly jobs?: JobQueue | undefined
  readonly prompts: PromptsApi
  readonly workspace: WorkspaceApi
  /** Models of the app, if it has any. */
  readonly models?: LanguageModels | undefined
  /** The gate for tool calls, data and changes, if the app has approvals. */
  readonly approvals?: ApprovalGate | undefined
  readonly storage: StoreAccess
  readonly clock: Clock
  readonly timers: Timers
  /** Milliseconds for which a process without a heartbeat counts as alive. */
  readonly leaseMs: number
  readonly log: Logger
}
