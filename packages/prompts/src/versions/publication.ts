import { type By, jsonEqual, type MinionsAccess, type Relation } from '@minions/core'
import { syncAgents } from '../agents/agent-binding.js'
import { isTemplate, loadPrompt, type PromptMinion, type PromptTemplateMinion } from '../chain/prompt-minion.js'
import { coreError } from '../errors.js'
import {
  originalFields,
  PUBLISHED_FIELDS,
  type PublicationMetadata,
  type PublishedFields,
  publicationNumber,
  publicationsOf,
} from './publications.js'

/**
 * Copies a version to its prompt and to the agents bound to it. Publishing the prompt itself brings back what it was
 * before anything was published.
 */
export async function publishVersion(
  client: MinionsAccess,
  promptId: string,
  versionId: string,
  by: By,
): Promise<PromptTemplateMinion> {
  return client.transaction(async (tx) => {
    const prompt = await loadPrompt(tx, promptId)
    if (!isTemplate(prompt)) {
      throw coreError('NOT_FOUND', `Version "${versionId}" belongs to no prompt that it could be published to.`)
    }
    const publications = (await publicationsOf(tx, [promptId])).get(promptId) ?? []
    const last = publications.at(-1)
    if (!last && versionId === promptId) return prompt
    const fields = await fieldsToPublish(tx, prompt, versionId, publications)
    const present = publishedFields(prompt)
    const differs = PUBLISHED_FIELDS.some(
      (name) => fields[name] !== undefined && !jsonEqual(fields[name], present[name] ?? null),
    )
    if (last?.targetId === versionId && !differs) return prompt
    // A relation to the prompt itself outlives every version, so version 0 is never lost.
    if (!last) await remember(tx, prompt, promptId, { publication: 1, replaced: present }, by)
    const kept = last ? (await fieldsToPublish(tx, prompt, last.targetId, publications)).content : present.content
    const publication = last ? publicationNumber(last) + 1 : 2
    const replaced = kept === present.content ? {} : { replaced: present }
    await remember(tx, prompt, versionId, { publication, ...replaced }, by)
    const published = (await tx.update(promptId, { fields }, by)) as PromptTemplateMinion
    await syncAgents(tx, published, by)
    return published
  })
}

async function remember(
  tx: MinionsAccess,
  { id }: PromptTemplateMinion,
  targetId: string,
  metadata: PublicationMetadata,
  by: By,
): Promise<void> {
  await tx.link({ sourceId: id, targetId, type: 'references', metadata: { ...metadata } }, by)
}

/** What to set; null removes what the prompt did not have at first. */
async function fieldsToPublish(
  tx: MinionsAccess,
  prompt: PromptTemplateMinion,
  versionId: string,
  publications: readonly Relation[],
): Promise<Readonly<Record<string, PublishedFields[keyof PublishedFields] | null>>> {
  if (versionId !== prompt.id) return publishedFields(await loadPrompt(tx, versionId))
  const original = originalFields(publications) ?? publishedFields(prompt)
  return Object.fromEntries(PUBLISHED_FIELDS.map((name) => [name, original[name] ?? null]))
}

/** Only what the minion has: a version without a description leaves the prompt's as it is. */
function publishedFields({ fields }: PromptMinion): PublishedFields {
  const present = PUBLISHED_FIELDS.filter((name) => fields[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, fields[name]]))
}
