import type { By } from '@minions/core'
import { type Static, Type } from 'typebox'
import type { PromptAccess } from '../access.js'
import { compareGroups } from '../compare/compare-groups.js'
import { ComparisonSchema } from '../compare/comparison.js'
import { promptsError } from '../errors.js'
import { checkEvaluation } from '../scoring/evaluation.js'
import type { Scores } from '../scoring/scores.js'
import { contentHash } from '../testing/content-hash.js'
import { type PromptResultMinion, resultsOf } from '../testing/prompt-test.js'
import { resultFields, type TestEvaluation } from '../testing/test-evaluation.js'
import { promptResultType } from '../types/prompt-result.js'
import type { ReadTarget } from './label-reader.js'
import { resolveLabel } from './resolve-label.js'

/** The outcome of a request that a label was rendered for. */
export interface LabelOutcome extends TestEvaluation {
  /** The text that was sent. Default: the template of the version. */
  readonly renderedPrompt?: string
}

/** The results of the versions in a split, each against the control. */
export const SplitComparisonSchema = Type.Object({
  control: Type.Object({ versionId: Type.String(), results: Type.Integer() }),
  versions: Type.Array(
    Type.Object({
      versionId: Type.String(),
      results: Type.Integer({ description: 'Number of outcomes recorded.' }),
      comparison: Type.Union([Type.Omit(ComparisonSchema, ['seed']), Type.Null()], {
        description: 'The control is a, the version b; null until both have two scores in one dimension.',
      }),
    }),
  ),
})

export type SplitComparison = Readonly<Static<typeof SplitComparisonSchema>>

export async function recordOutcome(
  { client }: PromptAccess,
  readTarget: ReadTarget,
  [prompt, label, key]: readonly [prompt: string, label: string, key: string],
  { renderedPrompt, ...evaluation }: LabelOutcome,
  by: By,
): Promise<PromptResultMinion> {
  checkEvaluation(evaluation)
  const { version, salt } = await readTarget(prompt, label, key)
  const keyHash = await contentHash(`${salt} ${key}`)
  const { metadata, ...told } = await resultFields(version, renderedPrompt ?? version.fields.content, evaluation)
  const fields = { ...told, metadata: { ...metadata, keyHash, label, salt } }
  return client.transaction(async (tx) => {
    const result = await tx.create(promptResultType, { title: `${label}: ${version.title}`, fields }, by)
    await tx.link({ sourceId: result.id, targetId: version.id, type: 'references' }, by)
    return result
  })
}

/** Compares the recorded outcomes of the versions in a split. Throws `SPLIT_INVALID` without a split. */
export async function compareSplit(access: PromptAccess, prompt: string, label: string): Promise<SplitComparison> {
  const { state, targets } = await resolveLabel(access, prompt, label)
  const [control, ...others] = targets
  if (!state || others.length === 0) {
    throw promptsError('SPLIT_INVALID', `The traffic of the label "${label}" is not split.`, { details: { label } })
  }
  const ids = targets.map(({ versionId }) => versionId)
  const recorded = await outcomesOf(access, label, state.salt ?? '', ids)
  const scoresOf = (versionId: string) => recorded.get(versionId) ?? []
  return {
    control: { versionId: control.versionId, results: scoresOf(control.versionId).length },
    versions: others.map(({ versionId }) => ({
      versionId,
      results: scoresOf(versionId).length,
      comparison: comparable(scoresOf(control.versionId), scoresOf(versionId)),
    })),
  }
}

function comparable(a: readonly Scores[], b: readonly Scores[]) {
  try {
    const { dimensions, verdict } = compareGroups(a, b)
    return { dimensions, verdict }
  } catch (error) {
    if (promptsError.is(error, 'COMPARISON_INVALID')) return null
    throw error
  }
}

/** The scores recorded for versions under a label and a salt; for each key the last one wins. */
async function outcomesOf(
  { client }: PromptAccess,
  label: string,
  salt: string,
  versionIds: readonly string[],
): Promise<Map<string, Scores[]>> {
  const last = new Map<string, { versionId: string; scores: Scores }>()
  for (const { fields } of await resultsOf(client, versionIds)) {
    const { metadata } = fields as { metadata?: Record<string, unknown> }
    if (metadata?.label !== label || metadata.salt !== salt) continue
    last.set(`${metadata.versionId} ${metadata.keyHash}`, {
      versionId: String(metadata.versionId),
      scores: fields.scores as Scores,
    })
  }
  const byVersion = new Map<string, Scores[]>(versionIds.map((id) => [id, []]))
  for (const { versionId, scores } of last.values()) byVersion.get(versionId)?.push(scores)
  return byVersion
}
