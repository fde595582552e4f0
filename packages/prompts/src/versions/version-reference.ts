import { coreError, isDeleted, quote } from '@minions/core'
import type { PromptAccess } from '../access.js'
import { isTemplate, loadLivePrompt, loadPrompt, type PromptMinion } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { asFirstVersions } from './publications.js'

/**
 * A version by its id, by a prefix of its id or, if no other branch shares it, by its number; 0 is the original prompt.
 */
export type VersionChoice = string | number

/** Shorter strings are not taken for a prefix of an id. */
export const SHORTEST_BEGINNING = 4

/** A reference to read: a prompt or version by id, or a version of a prompt by its number or id. */
export type PromptReference = string | { readonly prompt: string; readonly version: VersionChoice }

/** A prompt as published, or a version. Throws `NOT_FOUND`, `DELETED` or `VERSION_AMBIGUOUS`. */
export async function loadReference(access: PromptAccess, reference: PromptReference): Promise<PromptMinion> {
  if (typeof reference === 'string') return loadLivePrompt(access, reference)
  if (typeof reference !== 'object' || reference === null) {
    throw coreError('VALIDATION_FAILED', `A prompt is given by its id or name, not as ${quote(reference)}.`)
  }
  const minion = await loadLivePrompt(access, reference.prompt)
  return findVersion(access, await access.lookup.rootId(minion), reference.version)
}

/** Like `loadReference`, but a prompt's id refers to version 0, and deleted ones are found. */
export async function loadVersion(access: PromptAccess, reference: PromptReference): Promise<PromptMinion> {
  if (typeof reference !== 'string') return loadReference(access, reference)
  return asVersion(access, await loadPrompt(access, reference))
}

/** A version of a prompt. */
export async function findVersion(
  access: PromptAccess,
  promptId: string,
  choice: VersionChoice,
): Promise<PromptMinion> {
  const root = await loadPrompt(access, promptId)
  const [version, ...others] = await matching(access, root, choice)
  if (!version) {
    throw coreError('NOT_FOUND', `Prompt "${promptId}" has no version ${JSON.stringify(choice)}.`, {
      details: { id: promptId, version: choice },
    })
  }
  if (others.length > 0) {
    throw promptsError(
      'VERSION_AMBIGUOUS',
      `Prompt "${promptId}" has several versions ${choice}; give ${typeof choice === 'string' ? 'more of the id' : 'an id'}.`,
      { details: { id: promptId, version: choice, ids: [version, ...others].map((minion) => minion.id) } },
    )
  }
  return asVersion(access, version)
}

async function matching({ lookup }: PromptAccess, root: PromptMinion, choice: VersionChoice): Promise<PromptMinion[]> {
  if (typeof choice === 'string') {
    const member = await lookup.member(root, choice)
    if (member) return [member]
    if (choice.length < SHORTEST_BEGINNING) return []
    const { minions } = await lookup.chain(root)
    return [...minions.values()].filter((minion) => minion.id.startsWith(choice) && !isDeleted(minion))
  }
  const first = choice === 0 && isTemplate(root) && !isDeleted(root) ? [root] : []
  return [...first, ...(await lookup.numbered(root, choice))]
}

/** A prompt is version 0. */
async function asVersion(access: PromptAccess, minion: PromptMinion): Promise<PromptMinion> {
  if (!isTemplate(minion)) return minion
  const [first = minion] = await asFirstVersions(access, [minion])
  return first
}
