import type { By, Minions, Relation } from '@minions/core'
import { syncAgents } from '../agents/agent-binding.js'
import { isTemplate, loadPrompt, type PromptMinion, type PromptTemplateMinion } from '../chain/prompt-minion.js'
import { coreError } from '../errors.js'

/** The fields of a prompt that publishing sets. */
const PUBLISHED_FIELDS = ['content', 'description', 'variables', 'tags'] as const

type PublishedFields = Partial<Pick<PromptTemplateMinion['fields'], (typeof PUBLISHED_FIELDS)[number]>>

/**
 * A publication is remembered as a `references` relation from the prompt to the version. Its metadata count the
 * publications of the prompt and keep what was replaced, unless the version published before has it anyway.
 */
interface PublicationMetadata {
  readonly publication: number
  readonly replaced?: PublishedFields
}

/** The version whose content the prompt has: the prompt itself until something is published. */
export async function publishedVersion(client: Minions, prompt: PromptTemplateMinion): Promise<PromptMinion> {
  const last = (await publicationsOf(client, prompt.id)).at(-1)
  return last ? loadPrompt(client, last.targetId) : prompt
}

/**
 * Copies a version to its prompt and to the agents bound to it. Publishing the prompt itself brings back what it was
 * before anything was published.
 */
export async function publishVersion(
  client: Minions,
  promptId: string,
  versionId: string,
  by: By,
): Promise<PromptTemplateMinion> {
  return client.transaction(async (tx) => {
    const prompt = await loadPrompt(tx, promptId)
    if (!isTemplate(prompt)) {
      throw coreError('NOT_FOUND', `Version "${versionId}" belongs to no prompt that it could be published to.`)
    }
    const publications = await publicationsOf(tx, promptId)
    const last = publications.at(-1)
    const fields = await fieldsToPublish(tx, prompt, versionId, publications)
    if (last?.targetId === versionId && prompt.fields.content === fields.content) return prompt
    const kept = last && (await fieldsToPublish(tx, prompt, last.targetId, publications))
    const metadata: PublicationMetadata = {
      publication: publications.length + 1,
      ...(kept?.content !== prompt.fields.content && { replaced: publishedFields(prompt) }),
    }
    await tx.link({ sourceId: promptId, targetId: versionId, type: 'references', metadata }, by)
    const { description, tags } = fields
    const published = await tx.update(promptId, { fields, description, tags }, by)
    await syncAgents(tx, published as PromptTemplateMinion, by)
    return published as PromptTemplateMinion
  })
}

async function fieldsToPublish(
  tx: Minions,
  prompt: PromptTemplateMinion,
  versionId: string,
  publications: readonly Relation[],
): Promise<PublishedFields> {
  if (versionId !== prompt.id) return publishedFields(await loadPrompt(tx, versionId))
  const original = (publications[0]?.metadata as PublicationMetadata | undefined)?.replaced
  return original ?? publishedFields(prompt)
}

/** Only what the minion has: a version without a description leaves the prompt's as it is. */
function publishedFields({ fields }: PromptMinion): PublishedFields {
  const present = PUBLISHED_FIELDS.filter((name) => fields[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, fields[name]]))
}

async function publicationsOf(client: Minions, promptId: string): Promise<Relation[]> {
  const references = await client.relations(promptId, {
    direction: 'outgoing',
    type: 'references',
    includeDeleted: true,
  })
  return references.filter((relation) => numberOf(relation) > 0).sort((a, b) => numberOf(a) - numberOf(b))
}

function numberOf({ metadata }: Relation): number {
  const number = (metadata as Partial<PublicationMetadata> | null | undefined)?.publication
  return typeof number === 'number' ? number : 0
}
