import type { MinionsAccess } from '@minions/core'
import { promptVersionType } from '../types/prompt-version.js'
import { compareAge } from './compare-age.js'
import type { PromptVersionMinion } from './prompt-minion.js'
import { relationsAt } from './relations.js'

const RECENT = 16

/**
 * The latest version of a prompt, if it is certain from the few newest versions in the store: they are newer than all
 * the others, so a leaf among them cannot be beaten. Takes the same time however long the chain is.
 */
export async function findNewestVersion(
  client: MinionsAccess,
  rootId: string,
): Promise<PromptVersionMinion | undefined> {
  const recent = await recentVersions(client)
  const ids = recent.map((version) => version.id)
  const outgoing = await relationsAt(client, 'sourceIds', ids, ['follows', 'part_of'])
  const incoming = await relationsAt(client, 'targetIds', ids, ['follows'])
  const leaves: PromptVersionMinion[] = []
  for (const version of recent) {
    const links = outgoing.filter(({ sourceId, targetId }) => sourceId === version.id && targetId !== version.id)
    const prompts = links.filter(({ type }) => type === 'part_of').map(({ targetId }) => targetId)
    // Linked by hand, perhaps to this chain.
    if (prompts.length === 0) return undefined
    if (!prompts.includes(rootId)) continue
    const followers = incoming.filter(({ sourceId, targetId }) => targetId === version.id && sourceId !== version.id)
    const isClear =
      links.some(({ type }) => type === 'follows') && followers.every(({ sourceId }) => ids.includes(sourceId))
    if (!isClear) return undefined
    if (followers.length === 0) leaves.push(version)
  }
  return leaves.sort(compareAge).at(-1)
}

/** The newest versions; of those as old as the last of them there may be more, so they are left out. */
async function recentVersions(client: MinionsAccess): Promise<PromptVersionMinion[]> {
  const { items, nextCursor } = await client.find({
    where: { minionTypeId: promptVersionType.id },
    orderBy: [{ field: 'createdAt', direction: 'desc' }],
    limit: RECENT,
  })
  const versions = items as PromptVersionMinion[]
  const last = versions.at(-1)
  return nextCursor === undefined ? versions : versions.filter(({ createdAt }) => createdAt !== last?.createdAt)
}
