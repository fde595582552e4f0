import type { Relation } from '@minions/core'
import { searchableText } from '@minions/core/storage'
import type { PromptAccess } from '../access.js'
import type { ChainReader } from '../chain/chain-reader.js'
import { loadPrompts, type PromptMinion, type PromptTemplateMinion } from '../chain/prompt-minion.js'
import { BODY_FIELDS } from '../chat/prompt-body.js'
import { PRODUCTION } from '../labels/label-name.js'
import { setOrRemove } from '../types/derive-prompt.js'

/** The fields of a prompt that publishing sets. */
export const PUBLISHED_FIELDS = ['content', 'description', 'variables', 'tags', ...BODY_FIELDS] as const

export type PublishedFields = Partial<Pick<PromptTemplateMinion['fields'], (typeof PUBLISHED_FIELDS)[number]>>

/**
 * A publication is stored as a `references` relation from the prompt to the version. Its metadata counts the
 * publications of the prompt and keeps the replaced content, unless the previously published version already has it.
 * The first one keeps version 0.
 */
interface PublicationMetadata {
  readonly publication: number
  readonly replaced?: PublishedFields
}

/** The publications of prompts, by the prompt's id; each list in order. */
export async function publicationsOf(
  reader: ChainReader,
  promptIds: readonly string[],
): Promise<Map<string, Relation[]>> {
  const byPrompt = new Map<string, Relation[]>(promptIds.map((id) => [id, []]))
  for (const relation of await reader.relations('sourceIds', promptIds, ['references'])) {
    if (publicationNumber(relation) > 0) byPrompt.get(relation.sourceId)?.push(relation)
  }
  for (const list of byPrompt.values()) list.sort((a, b) => publicationNumber(a) - publicationNumber(b))
  return byPrompt
}

/** The versions whose content prompts currently have, by prompt id; the prompt itself until something is published. */
export async function publishedVersions(
  { client, lookup }: PromptAccess,
  prompts: readonly PromptTemplateMinion[],
): Promise<Map<string, PromptMinion>> {
  const promptIds = new Set(prompts.map(({ id }) => id))
  const published = await lookup.label(PRODUCTION, [...promptIds])
  const lastOf = (id: string) => published.get(id)?.targets[0]?.versionId ?? id
  const ids = Array.from(promptIds, lastOf).filter((id) => !promptIds.has(id))
  const found = new Map((await loadPrompts(client, ids)).map((minion) => [minion.id, minion]))
  return new Map(prompts.map((prompt) => [prompt.id, found.get(lastOf(prompt.id)) ?? prompt]))
}

/** Prompts as version 0: with their content before the first publication. */
export async function asFirstVersions(
  { lookup }: PromptAccess,
  prompts: readonly PromptTemplateMinion[],
): Promise<PromptTemplateMinion[]> {
  const originals = await lookup.originals(prompts.map(({ id }) => id))
  return prompts.map((prompt) => {
    const original = originals.get(prompt.id)
    return original ? withFields(prompt, original) : prompt
  })
}

/** The content of a prompt before the first publication; undefined when nothing was published. */
export function originalFields(publications: readonly Relation[]): PublishedFields | undefined {
  const first = publications.find((relation) => publicationNumber(relation) === 1)
  return (first?.metadata as PublicationMetadata | undefined)?.replaced
}

export function publicationNumber({ metadata }: Relation): number {
  const number = (metadata as Partial<PublicationMetadata> | null | undefined)?.publication
  return typeof number === 'number' ? number : 0
}

function withFields(prompt: PromptTemplateMinion, original: PublishedFields): PromptTemplateMinion {
  const fields = { ...prompt.fields }
  const first: PromptTemplateMinion = { ...prompt, fields }
  for (const name of PUBLISHED_FIELDS) setOrRemove(fields, name, original[name])
  setOrRemove(first, 'description', original.description)
  setOrRemove(first, 'tags', original.tags)
  return { ...first, searchableText: searchableText(first) }
}
