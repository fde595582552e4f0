import { coreError, messageOf } from '@minions/core'
import { isRecord, jsonEqual } from '@minions/core/json'
import type { Clearance } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import { findVersion } from '../versions/version-reference.js'
import type { Attempt } from './check-protection.js'
import { checkWeights } from './check-weights.js'
import type { LabelTarget } from './label-state.js'

/**
 * The targets of an approved move: the approver may have chosen other versions of the prompt, or other weights of a
 * split. Throws `VALIDATION_FAILED` for any other change, because the requested move would not be the approved one.
 */
export async function approvedTargets(
  tx: PromptAccess,
  { promptId, label }: Attempt,
  asked: readonly LabelTarget[],
  { arguments: approved, approval }: Clearance,
): Promise<readonly LabelTarget[]> {
  const { promptId: approvedPrompt, targets, ...others } = approved
  const refused = (why: string, cause?: unknown) =>
    coreError('VALIDATION_FAILED', `Approval ${approval} changed the move of "${label}" into one that ${why}.`, {
      cause,
      details: { approval, promptId, label },
    })
  if (approvedPrompt !== promptId) throw refused('belongs to another prompt')
  if (Object.keys(others).length > 0) throw refused(`has unknown arguments: ${Object.keys(others).join(', ')}`)
  if (!Array.isArray(targets) || !targets.every(isTarget)) {
    throw refused('lacks targets, each with a `versionId` and a `weight`')
  }
  if (jsonEqual(targets, asked)) return asked
  if (targets.length !== asked.length) throw refused(`leads to ${targets.length} versions instead of ${asked.length}`)
  if (new Set(targets.map(({ versionId }) => versionId)).size < targets.length) throw refused('names a version twice')
  try {
    if (targets.length > 1) checkWeights(targets.map(({ weight }) => weight))
    for (const { versionId } of targets) await findVersion(tx, promptId, versionId)
  } catch (error) {
    throw refused(`cannot be made: ${messageOf(error)}`, error)
  }
  if (targets.length === 1 && targets[0]?.weight !== 100) throw refused('gives one version less than all traffic')
  return targets
}

function isTarget(value: unknown): value is LabelTarget {
  return (
    isRecord(value) &&
    Object.keys(value).length === 2 &&
    typeof value.versionId === 'string' &&
    typeof value.weight === 'number'
  )
}
