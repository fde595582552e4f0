import type { MinionsAccess } from '@minions/core'
import type { ApprovalGate } from '@minions/core/plugin'
import { isStore } from '@minions/core/storage'
import type { Executions } from './datasets/from-executions.js'
import type { LabelGuard } from './labels/label-guard.js'
import type { PromptLookup } from './lookup/prompt-lookup.js'

/** A client, and the way to find what belongs to a prompt. */
export interface PromptAccess {
  readonly client: MinionsAccess
  readonly lookup: PromptLookup
  /** Guards consulted before labels are moved. Default: none. */
  readonly guards?: readonly LabelGuard[] | undefined
  /** The approval gate for label moves, if the app has approvals. */
  readonly approvals?: ApprovalGate | undefined
  /** Source of past executions, for tests created from them. */
  readonly executions?: Executions | undefined
}

/** Runs `work` in a transaction, in which it sees its own writes. */
export function inTransaction<T>(access: PromptAccess, work: (tx: PromptAccess) => Promise<T>): Promise<T> {
  const { client, approvals } = access
  const run = () => client.transaction((tx) => work({ ...access, client: tx, lookup: access.lookup.on(tx) }))
  // Approvals are requested outside: writes made inside would be undone.
  return approvals && isStore(client.storage) ? approvals.asking(run) : run()
}
