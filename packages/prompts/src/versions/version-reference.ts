import type { MinionsAccess } from '@minions/core'
import { findRootId } from '../chain/find-root.js'
import { PromptChain } from '../chain/prompt-chain.js'
import { isTemplate, loadLivePrompt, loadPrompt, type PromptMinion } from '../chain/prompt-minion.js'
import { coreError, promptsError } from '../errors.js'
import { asFirstVersions } from './publications.js'

/** A version by its id or, if it has one that no other branch shares, by its number; 0 is the prompt as it was at first. */
export type VersionChoice = string | number

/** Something to read: a prompt or version by id, or a version of a prompt by its number or id. */
export type PromptReference = string | { readonly prompt: string; readonly version: VersionChoice }

/** A prompt as it is published, or a version. Throws `NOT_FOUND`, `DELETED` or `VERSION_AMBIGUOUS`. */
export async function loadReference(client: MinionsAccess, reference: PromptReference): Promise<PromptMinion> {
  if (typeof reference === 'string') return loadLivePrompt(client, reference)
  const minion = await loadLivePrompt(client, reference.prompt)
  return findVersion(client, await findRootId(client, minion), reference.version)
}

/** Like `loadReference`, but a prompt's id stands for version 0, and deleted ones are found. */
export async function loadVersion(client: MinionsAccess, reference: PromptReference): Promise<PromptMinion> {
  if (typeof reference !== 'string') return loadReference(client, reference)
  const minion = await loadPrompt(client, reference)
  if (!isTemplate(minion)) return minion
  const [first = minion] = await asFirstVersions(client, [minion])
  return first
}

/** A version of a prompt. */
export async function findVersion(
  client: MinionsAccess,
  promptId: string,
  choice: VersionChoice,
): Promise<PromptMinion> {
  const chain = await new PromptChain(client).getVersionChain(promptId)
  const fits = (minion: PromptMinion) => {
    if (typeof choice === 'string') return minion.id === choice
    return (isTemplate(minion) ? 0 : minion.fields.versionNumber) === choice
  }
  const [version, ...others] = chain.filter(fits)
  if (!version) {
    throw coreError('NOT_FOUND', `Prompt "${promptId}" has no version ${JSON.stringify(choice)}.`, {
      details: { id: promptId, version: choice },
    })
  }
  if (others.length > 0) {
    throw promptsError('VERSION_AMBIGUOUS', `Prompt "${promptId}" has several versions ${choice}; give an id.`, {
      details: { id: promptId, version: choice, ids: [version, ...others].map((minion) => minion.id) },
    })
  }
  return version
}
