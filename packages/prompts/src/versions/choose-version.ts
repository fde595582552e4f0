import { isDeleted, type MinionsAccess } from '@minions/core'
import { ancestors, findRootId } from '../chain/find-root.js'
import { PromptChain } from '../chain/prompt-chain.js'
import { isTemplate, loadLivePrompt } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { publishedVersions } from './publications.js'
import { findVersion, loadVersion, type VersionChoice } from './version-reference.js'

/** What to publish, and where to. */
export interface Chosen {
  readonly promptId: string
  readonly versionId: string
}

/** The version that was asked for; given a prompt and no choice, its latest. */
export async function chooseToPublish(client: MinionsAccess, id: string, choice?: VersionChoice): Promise<Chosen> {
  const minion = await loadLivePrompt(client, id)
  if (choice !== undefined) {
    const promptId = await findRootId(client, minion)
    return { promptId, versionId: (await findVersion(client, promptId, choice)).id }
  }
  const version = isTemplate(minion) ? await new PromptChain(client).getLatestVersion(id) : minion
  return { promptId: await findRootId(client, minion), versionId: version.id }
}

/** The version that was asked for; given a prompt and no choice, the nearest before the published one that is not deleted. */
export async function chooseToRollBack(client: MinionsAccess, id: string, choice?: VersionChoice): Promise<Chosen> {
  const minion = await loadLivePrompt(client, id)
  if (choice !== undefined || !isTemplate(minion)) return chooseToPublish(client, id, choice)
  const published = (await publishedVersions(client, [minion])).get(id) ?? minion
  for await (const previous of ancestors(client, published)) {
    if (!isDeleted(previous)) return { promptId: id, versionId: previous.id }
  }
  // What is published may be gone for good, or edited by hand.
  const first = await loadVersion(client, id)
  if (first.fields.content !== minion.fields.content) return { promptId: id, versionId: id }
  throw promptsError('NOTHING_PUBLISHED', `Prompt "${id}" is as it was at first; there is nothing to roll back.`, {
    details: { id },
  })
}
