import { generateId } from '@minions/core'
import { inTransaction, type PromptAccess } from '../access.js'
import { promptsError } from '../errors.js'
import { findVersion, type VersionChoice } from '../versions/version-reference.js'
import { checkWeights } from './check-weights.js'
import { assertLabel } from './label-name.js'
import type { LabelState, LabelTarget } from './label-state.js'
import type { MoveOptions } from './move-label.js'
import { loadTemplate } from './resolve-label.js'
import { makeMove, setLabel } from './set-label.js'

/** A version and its share of the traffic. */
export interface SplitShare {
  readonly version: VersionChoice
  /** In per cent; all weights of a split add up to 100. */
  readonly weight: number
}

export interface SplitOptions extends MoveOptions {
  /**
   * Decides, together with a key, which version is used. Default: the salt of the existing split, or else a new one.
   */
  readonly salt?: string | undefined
}

export async function splitLabel(
  access: PromptAccess,
  promptId: string,
  label: string,
  shares: readonly SplitShare[],
  { salt: given, ...options }: SplitOptions,
): Promise<LabelState> {
  assertLabel(label)
  checkWeights(shares.map(({ weight }) => weight))
  return inTransaction(access, async (tx) => {
    const prompt = await loadTemplate(tx, promptId)
    const targets: LabelTarget[] = []
    for (const { version, weight } of shares) {
      const { id: versionId } = await findVersion(tx, prompt.id, version)
      if (targets.some((target) => target.versionId === versionId)) {
        throw promptsError(
          'SPLIT_INVALID',
          `Version ${JSON.stringify(version)} occurs twice in the split; add its shares up.`,
        )
      }
      targets.push({ versionId, weight })
    }
    const before = (await tx.lookup.label(label, [prompt.id])).get(prompt.id)
    return makeMove(tx, { prompt, label, targets, salt: given ?? before?.salt ?? generateId() }, options)
  })
}

/** Throws `SPLIT_INVALID` without a split. */
export async function stopSplit(
  access: PromptAccess,
  promptId: string,
  label: string,
  version: VersionChoice | undefined,
  options: MoveOptions,
): Promise<LabelState> {
  return inTransaction(access, async (tx) => {
    const prompt = await loadTemplate(tx, promptId)
    const state = (await tx.lookup.label(label, [prompt.id])).get(prompt.id)
    const [control, second] = state?.targets ?? []
    if (!control || !second) {
      throw promptsError('SPLIT_INVALID', `The traffic of the label "${label}" of "${prompt.title}" is not split.`, {
        details: { promptId: prompt.id, label },
      })
    }
    return setLabel(tx, prompt.id, label, version ?? control.versionId, options)
  })
}
