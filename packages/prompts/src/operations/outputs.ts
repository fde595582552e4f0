import { MinionSchema } from '@minions/core'
import { Type } from 'typebox'
import type { PromptMinion, PromptTemplateMinion } from '../chain/prompt-minion.js'
import type { PromptsApi } from '../prompts-api.js'
import { versionNumber } from '../versions/version-number.js'

const VersionNumber = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

/** A prompt or version, with what is published of the prompt. */
export const PublishedPromptSchema = Type.Object({
  ...MinionSchema.properties,
  publishedVersion: VersionNumber('Number of the version that is published; 0 while none was.'),
})

/** A prompt or version with its place in the version chain. */
export const VersionSchema = Type.Object({
  ...MinionSchema.properties,
  version: VersionNumber('Its number; 0 for the prompt as it was at first.'),
  published: Type.Boolean({ description: 'True for the version that is published.' }),
})

/** A prompt or version as `PublishedPromptSchema` describes it. */
export async function withPublished(prompts: PromptsApi, minion: PromptMinion) {
  return { ...minion, publishedVersion: versionNumber(await prompts.published(minion.id)) }
}

/** Prompts as `PublishedPromptSchema` describes them, in a few queries. */
export async function allWithPublished(prompts: PromptsApi, minions: readonly PromptTemplateMinion[]) {
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
