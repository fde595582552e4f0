import type { JsonObject } from '@minions/core/json'
import type { PromptAccess } from '../access.js'
import { promptsError } from '../errors.js'
import { approvedTargets } from './approved-targets.js'
import { type Attempt, checkProtection } from './check-protection.js'
import type { LabelTarget } from './label-state.js'

/**
 * Resolves to the permitted targets of a label move: the requested ones, or those the approver chose instead. Throws
 * unless the label may be moved: `LABEL_PROTECTED`, or with approvals `APPROVAL_REQUIRED` where the policy requires
 * one, or where the label is protected from the caller. The approval is used up by the move.
 */
export async function checkApproval(
  tx: PromptAccess,
  attempt: Attempt,
  targets: readonly LabelTarget[],
): Promise<readonly LabelTarget[]> {
  const { approvals, client } = tx
  const { promptId, label, by } = attempt
  const protection: unknown = await checkProtection(tx, attempt).then(
    () => undefined,
    (error: unknown) => error,
  )
  // An unnamed caller cannot be distinguished from the author.
  const isAskable = approvals !== undefined && by !== undefined && by !== ''
  if (protection !== undefined && !(isAskable && promptsError.is(protection, 'LABEL_PROTECTED'))) throw protection
  const moved = targets.map(({ versionId, weight }): JsonObject => ({ versionId, weight }))
  const call = { kind: 'label', name: label, arguments: { promptId, targets: moved }, by: by ?? '(nobody)' } as const
  const cleared = await approvals?.require(call, {
    tx: client.storage,
    ...(protection !== undefined && { ask: `the label "${label}" is protected from "${by}"` }),
  })
  return cleared ? approvedTargets(tx, attempt, targets, cleared) : targets
}
