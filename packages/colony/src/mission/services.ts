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

/** What becomes of a mission when a task fails: it ends, the other branches go on, or the task is tried again first. */
export type FailurePolicy = (typeof FAILURE_POLICIES)[number]
export const FAILURE_POLICIES = ['fail', 'continue', 'retry'] as const

/** How missions are run; a run may choose otherwise. */
export interface MissionSettings {
  /** Tasks that run at the same time; 4 by default. */
  readonly concurrency: number
  readonly onFailure: FailurePolicy
  /** Attempts at a task under `retry`, the first included; 3 by default. */
  readonly maxAttempts: number
  /** True if tasks are left to workers on the store, in whichever process, instead of being done in this one. */
  readonly workers: boolean
}

/** What missions are run with. */
export interface MissionServices extends MissionSettings {
  readonly roles: RoleBook
  readonly tools: Tools
  readonly priority: PriorityOf | undefined
  readonly prompt: PromptSettings
  readonly contracts: ColonyContracts
  readonly skills: SubagentManager
  /** Brings tasks to workers, if the app can. */
  readonly jobs?: JobQueue | undefined
  readonly prompts: PromptsApi
  readonly workspace: WorkspaceApi
  /** Models of the app, if it has any. */
  readonly models?: LanguageModels | undefined
  /** What tool calls, data and changes must pass, if the app has approvals. */
  readonly approvals?: ApprovalGate | undefined
  readonly storage: StoreAccess
  readonly clock: Clock
  readonly timers: Timers
  /** For how long a process that says nothing counts as alive, in milliseconds. */
  readonly leaseMs: number
  readonly log: Logger
}
