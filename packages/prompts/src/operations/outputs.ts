import { guarded } from '@minions/core/plugin'
import { MinionSchema } from '@minions/core/schema'
import { Type } from 'typebox'
import type { PromptMinion } from '../chain/prompt-minion.js'
import { type LabelState, LabelStateSchema } from '../labels/label-state.js'
import type { NamedPrompt } from '../names/list-prompts.js'
import type { PromptsApi } from '../prompts-api.js'
import { versionNumber } from '../versions/version-number.js'

const VersionNumber = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

/** A prompt or version, with the published version of the prompt. */
export const PublishedPromptSchema = Type.Object({
  ...MinionSchema.properties,
  publishedVersion: VersionNumber('Number of the published version; 0 if none was published.'),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Name of the prompt; null if it has none.' }),
})

/** A prompt or version with its position in the version chain. */
export const VersionSchema = Type.Object({
  ...MinionSchema.properties,
  version: VersionNumber('Its number; 0 for the original prompt.'),
  published: Type.Boolean({ description: 'True for the version that is published.' }),
})

/** The targets of a label, with the numbers of the versions. */
export const LabelSchema = Type.Object({
  ...LabelStateSchema.properties,
  targets: Type.Array(
    Type.Object({
      ...LabelStateSchema.properties.targets.items.properties,
      version: VersionNumber('Number of the version; null for one without a number, or one that no longer exists.'),
    }),
    {
      description:
        'One version, or several that share the traffic, the first of which is the control; none if removed.',
    },
  ),
})

/** A label as `LabelSchema` describes it. */
export async function asLabel(prompts: PromptsApi, state: LabelState) {
  const [label] = await asLabels(prompts, [state])
  return label as Exclude<typeof label, undefined>
}

/** Labels as `LabelSchema` describes them. */
export const asLabels = guarded('asLabels', asLabelsUnchecked, { checksInside: true })

async function asLabelsUnchecked(prompts: PromptsApi, states: readonly LabelState[]) {
  const numbers = new Map<string, number | null>()
  for (const { versionId } of states.flatMap(({ targets }) => targets)) {
    if (numbers.has(versionId)) continue
    const minion = await prompts.get(versionId).catch(() => undefined)
    numbers.set(versionId, minion ? versionNumber(minion) : null)
  }
  return states.map((state) => ({
    ...state,
    targets: state.targets.map((target) => ({ ...target, version: numbers.get(target.versionId) ?? null })),
  }))
}

/** A prompt or version as `PublishedPromptSchema` describes it. */
export const withPublished = guarded('withPublished', async (prompts: PromptsApi, minion: PromptMinion) => {
  const published = await prompts.published(minion.id)
  return { ...minion, publishedVersion: versionNumber(published), name: (await prompts.nameOf(minion.id)) ?? null }
})

/** Prompts as `PublishedPromptSchema` describes them, in a few queries. */
export async function allWithPublished(prompts: PromptsApi, minions: readonly NamedPrompt[]) {
  const published = await prompts.publishedVersions(minions)
  return minions.map((minion) => ({
    ...minion,
    publishedVersion: versionNumber(published.get(minion.id) ?? minion),
  }))
}

/** A version as `VersionSchema` describes it. */
export async function asVersion(prompts: PromptsApi, minion: PromptMinion) {
  return described(minion, await prompts.published(minion.id))
}

/** Versions of one prompt as `VersionSchema` describes them. */
export async function asVersions(prompts: PromptsApi, minions: readonly PromptMinion[]) {
  const [first] = minions
  const published = first && (await prompts.published(first.id))
  return minions.map((minion) => described(minion, published))
}

function described(minion: PromptMinion, published: PromptMinion | undefined) {
  return { ...minion, version: versionNumber(minion), published: minion.id === published?.id }
}
