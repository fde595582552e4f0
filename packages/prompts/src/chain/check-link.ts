import type { Relation } from '@minions/core'
import type { StoreTransaction } from '@minions/core/storage'
import { promptsError } from '../errors.js'
import { type ChainReader, storeReader } from './chain-reader.js'

/** Refuses a `follows` relation that would give a version's chain a second root. Branches may be joined. */
export async function checkLink({ id, type, sourceId, targetId }: Relation, tx: StoreTransaction): Promise<void> {
  if (type !== 'follows' || sourceId === targetId) return
  const reader = storeReader(tx)
  const follows = await reader.relations('sourceIds', [sourceId], ['follows'])
  const others = follows.flatMap((one) => (one.id !== id && one.targetId !== sourceId ? [one.targetId] : []))
  if (others.length === 0 || (await reader.prompts([sourceId])).length === 0) return
  const roots = await rootsAbove(reader, others)
  if (roots.size === 0) return
  for (const root of await rootsAbove(reader, [targetId])) {
    if (roots.has(root)) continue
    const [first] = roots
    throw promptsError(
      'TWO_ROOTS',
      `Version "${sourceId}" cannot follow "${targetId}": it belongs to "${first}", and "${root}" would be a second root. A version can follow versions of only one prompt; add it to the other prompt as a separate version.`,
      { details: { id: sourceId, targetId, roots: [...roots, root] } },
    )
  }
}

/** The prompts or versions at which the chain ends. */
async function rootsAbove(reader: ChainReader, ids: readonly string[]): Promise<Set<string>> {
  const roots = new Set<string>()
  const seen = new Set<string>()
  let level = await idsOfPrompts(reader, ids)
  while (level.length > 0) {
    for (const id of level) seen.add(id)
    const follows = await reader.relations('sourceIds', level, ['follows'])
    const parents = new Set(await idsOfPrompts(reader, [...new Set(follows.map(({ targetId }) => targetId))]))
    const hasParent = new Set(
      follows
        .filter(({ sourceId, targetId }) => sourceId !== targetId && parents.has(targetId))
        .map(({ sourceId }) => sourceId),
    )
    for (const id of level) if (!hasParent.has(id)) roots.add(id)
    level = [...parents].filter((id) => !seen.has(id))
  }
  return roots
}

async function idsOfPrompts(reader: ChainReader, ids: readonly string[]): Promise<string[]> {
  return (await reader.prompts(ids)).map(({ id }) => id)
}
