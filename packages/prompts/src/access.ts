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
  /** What has a say before labels are moved; nothing unless given. */
  readonly guards?: readonly LabelGuard[] | undefined
  /** What moves of labels must pass, and who approves them, if the app has approvals. */
  readonly approvals?: ApprovalGate | undefined
  /** What was executed, for tests of what really happened. */
  readonly executions?: Executions | undefined
}

/** Runs `work` in a transaction, in which it finds what it has written. */
export function inTransaction<T>(access: PromptAccess, work: (tx: PromptAccess) => Promise<T>): Promise<T> {
  const { client, approvals } = access
  const run = () => client.transaction((tx) => work({ ...access, client: tx, lookup: access.lookup.on(tx) }))
  // What needs an approval is asked for outside: what is written inside is undone.
  return approvals && isStore(client.storage) ? approvals.asking(run) : run()
}
