import { isDeleted, type Relation } from '@minions/core'
import type { StoreTransaction } from '@minions/core/storage'
import { type ChainReader, storeReader } from '../chain/chain-reader.js'
import { isTemplate, type PromptMinion, type PromptVersionMinion } from '../chain/prompt-minion.js'
import { type IndexedVersion, promptVersionsCollection } from './collections.js'
import { entriesAt, entryOf, indexChain } from './index-chain.js'

/*
 * Keeps the entries of versions in sync with their relations. Common changes, such as a new version at the end of a
 * branch or a deleted one, update a few entries, whatever the length of the chain; everything else re-indexes the
 * chain.
 */

export async function noteFollows(tx: StoreTransaction, relation: Relation): Promise<void> {
  const ends = await promptsAt(storeReader(tx), relation)
  if (ends && !(await append(tx, relation, ends))) await indexChain(tx, relation.sourceId)
}

export async function noteUnfollowed(tx: StoreTransaction, relation: Relation): Promise<void> {
  const reader = storeReader(tx)
  const ends = await promptsAt(reader, relation)
  if (!ends) return
  const { sourceId, targetId } = relation
  const isAlone = (await followsAround(reader, sourceId)).length === 0
  await indexChain(tx, sourceId)
  const entry = await tx.get(promptVersionsCollection, targetId)
  const isEnough = isAlone && entry?.promptId !== null && (await followsAround(reader, targetId)).length > 0
  if (isEnough) await recountFollowers(tx, [targetId])
  else await indexChain(tx, targetId)
}

/** Handles a version that became part of a prompt, or no longer is. */
export async function notePartOf(tx: StoreTransaction, version: PromptMinion, target: PromptMinion): Promise<void> {
  if (isTemplate(version) || !isTemplate(target)) return
  const entry = await tx.get(promptVersionsCollection, version.id)
  if (entry?.promptId !== target.id) await indexChain(tx, version.id)
}

/** Handles a deleted or restored version. */
export async function noteLife(tx: StoreTransaction, version: PromptMinion): Promise<void> {
  const entry = await tx.get(promptVersionsCollection, version.id)
  const live = !isDeleted(version)
  if (!entry || entry.promptId === null || entry.live === live) return
  await tx.put(promptVersionsCollection, { ...entry, live })
  if (entry.followed) return
  const parents = await parentsOf(tx, version.id)
  if (live) await markFollowed(tx, parents)
  else await recountFollowers(tx, parents)
}

interface Ends {
  readonly source: PromptMinion
  readonly target: PromptMinion
}

/** The ends of a relation between two prompts or versions. */
async function promptsAt(
  reader: ChainReader,
  { sourceId, targetId }: Pick<Relation, 'sourceId' | 'targetId'>,
): Promise<Ends | undefined> {
  if (sourceId === targetId) return undefined
  const found = await reader.prompts([sourceId, targetId])
  const [source, target] = [sourceId, targetId].map((id) => found.find((minion) => minion.id === id))
  return source && target && { source, target }
}

/** Appends a version without other links after the one it follows; false if the case is not that simple. */
async function append(tx: StoreTransaction, relation: Relation, { source, target }: Ends): Promise<boolean> {
  if (isTemplate(source)) return false
  const reader = storeReader(tx)
  const others = (await followsAround(reader, source.id)).filter(({ id }) => id !== relation.id)
  if (others.length > 0) return false
  const before = await tx.get(promptVersionsCollection, target.id)
  if (before?.promptId === null) return false
  const promptId = before?.promptId ?? target.id
  const partOf = await reader.relations('sourceIds', [source.id], ['part_of'])
  if (partOf.some(({ targetId }) => targetId !== promptId)) return false
  const parent = before ?? (isTemplate(target) ? undefined : rootEntry(target))
  if (parent && parent !== before) await tx.put(promptVersionsCollection, parent)
  const step = source.fields.versionNumber ?? 1 + (parent?.step ?? 0)
  await tx.put(promptVersionsCollection, entryOf(source, { promptId, step, followed: false }))
  if (!isDeleted(source)) await markFollowed(tx, [target.id])
  return true
}

/** A version that was isolated so far. */
function rootEntry(version: PromptVersionMinion): IndexedVersion {
  return entryOf(version, { promptId: version.id, step: version.fields.versionNumber ?? 1, followed: false })
}

/** Marks these as followed by live versions. The ancestors of a deleted one are followed across it. */
async function markFollowed(tx: StoreTransaction, ids: readonly string[]): Promise<void> {
  for (let level = ids; level.length > 0; ) {
    const above: string[] = []
    for (const entry of await entriesAt(tx, level)) {
      if (entry.followed) continue
      await tx.put(promptVersionsCollection, { ...entry, followed: true })
      if (!entry.live) above.push(...(await parentsOf(tx, entry.id)))
    }
    level = above
  }
}

/** A follower of these was removed: updates whether a live version still follows each. */
async function recountFollowers(tx: StoreTransaction, ids: readonly string[]): Promise<void> {
  for (let level = ids; level.length > 0; ) {
    const above: string[] = []
    for (const entry of await entriesAt(tx, level)) {
      const followers = await storeReader(tx).relations('targetIds', [entry.id], ['follows'])
      const others = followers.map(({ sourceId }) => sourceId).filter((id) => id !== entry.id)
      const children = await entriesAt(tx, others)
      if (!entry.followed || children.some(({ live, followed }) => live || followed)) continue
      await tx.put(promptVersionsCollection, { ...entry, followed: false })
      if (!entry.live) above.push(...(await parentsOf(tx, entry.id)))
    }
    level = above
  }
}

async function parentsOf(tx: StoreTransaction, id: string): Promise<string[]> {
  const follows = await storeReader(tx).relations('sourceIds', [id], ['follows'])
  return follows.map(({ targetId }) => targetId).filter((parent) => parent !== id)
}

/** The `follows` relations of a minion, except self-relations. */
async function followsAround(reader: ChainReader, id: string): Promise<Relation[]> {
  const outgoing = await reader.relations('sourceIds', [id], ['follows'])
  const incoming = await reader.relations('targetIds', [id], ['follows'])
  return [...outgoing, ...incoming].filter(({ sourceId, targetId }) => sourceId !== targetId)
}
