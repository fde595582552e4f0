import { isDeleted } from '@minions/core'
import type { PromptAccess } from '../access.js'
import { clientReader } from '../chain/chain-reader.js'
import { ancestors } from '../chain/find-root.js'
import { PromptChain } from '../chain/prompt-chain.js'
import { isTemplate, loadLivePrompt } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { publishedVersions } from './publications.js'
import { findVersion, loadVersion, type VersionChoice } from './version-reference.js'

/** The version to publish, and its target. */
export interface Chosen {
  readonly promptId: string
  readonly versionId: string
}

/** The requested version; given a prompt and no choice, its latest. */
export async function chooseToPublish(access: PromptAccess, id: string, choice?: VersionChoice): Promise<Chosen> {
  const { client, lookup } = access
  const minion = await loadLivePrompt(access, id)
  const promptId = await lookup.rootId(minion)
  if (choice !== undefined) return { promptId, versionId: (await findVersion(access, promptId, choice)).id }
  const version = isTemplate(minion) ? await new PromptChain(client, lookup).getLatestVersion(minion.id) : minion
  return { promptId, versionId: version.id }
}

/** The requested version; given a prompt and no choice, the nearest before the published one that is not deleted. */
export async function chooseToRollBack(access: PromptAccess, id: string, choice?: VersionChoice): Promise<Chosen> {
  const { client } = access
  const minion = await loadLivePrompt(access, id)
  if (choice !== undefined || !isTemplate(minion)) return chooseToPublish(access, id, choice)
  const published = (await publishedVersions(access, [minion])).get(minion.id) ?? minion
  for await (const previous of ancestors(clientReader(client), published)) {
    if (!isDeleted(previous)) return { promptId: minion.id, versionId: previous.id }
  }
  // The published version may have been removed permanently, or edited by hand.
  const first = await loadVersion(access, minion.id)
  if (first.fields.content !== minion.fields.content) return { promptId: minion.id, versionId: minion.id }
  throw promptsError('NOTHING_PUBLISHED', `Prompt "${id}" is in its original state; there is nothing to roll back.`, {
    details: { id },
  })
}
