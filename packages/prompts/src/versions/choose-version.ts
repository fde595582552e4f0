import type { Minions } from '@minions/core'
import { numberOf } from '../chain/compare-age.js'
import { ancestors, findRootId } from '../chain/find-root.js'
import { PromptChain } from '../chain/prompt-chain.js'
import { isTemplate, loadLivePrompt, type PromptMinion } from '../chain/prompt-minion.js'
import { coreError, promptsError } from '../errors.js'
import { publishedVersion } from './publication.js'

/** A version by its id or, where no two branches share it, by its number; 0 is the prompt as it was at first. */
export type VersionChoice = string | number

/** What to publish, and where to. */
export interface Chosen {
  readonly promptId: string
  readonly versionId: string
}

/** The version that was asked for; given a prompt and no choice, its latest. */
export async function chooseToPublish(client: Minions, id: string, choice?: VersionChoice): Promise<Chosen> {
  const minion = await loadLivePrompt(client, id)
  if (choice !== undefined) return chooseIn(client, await findRootId(client, minion), choice)
  const version = isTemplate(minion) ? await new PromptChain(client).getLatestVersion(id) : minion
  return { promptId: await findRootId(client, minion), versionId: version.id }
}

/** The version that was asked for; given a prompt and no choice, the one before the published version. */
export async function chooseToRollBack(client: Minions, id: string, choice?: VersionChoice): Promise<Chosen> {
  const minion = await loadLivePrompt(client, id)
  if (choice !== undefined || !isTemplate(minion)) return chooseToPublish(client, id, choice)
  for await (const previous of ancestors(client, await publishedVersion(client, minion))) {
    return { promptId: id, versionId: previous.id }
  }
  throw promptsError('NOTHING_PUBLISHED', `Prompt "${id}" is as it was at first; there is nothing to roll back.`, {
    details: { id },
  })
}

async function chooseIn(client: Minions, promptId: string, choice: VersionChoice): Promise<Chosen> {
  const chain = await new PromptChain(client).getVersionChain(promptId)
  const fits = (minion: PromptMinion) =>
    typeof choice === 'string' ? minion.id === choice : numberOf(minion) === choice
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
  return { promptId, versionId: version.id }
}
