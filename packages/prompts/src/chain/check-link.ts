import { minionsCollection, type Relation, relationsCollection, type StoreTransaction } from '@minions/core'
import { promptsError } from '../errors.js'
import { isPrompt } from './prompt-minion.js'

/** Refuses a `follows` relation that would give a version's chain a second root. Branches may be joined. */
export async function checkLink({ id, type, sourceId, targetId }: Relation, tx: StoreTransaction): Promise<void> {
  if (type !== 'follows' || sourceId === targetId) return
  const follows = await followsOf(tx, [sourceId])
  const others = follows.filter((relation) => relation.id !== id && relation.targetId !== sourceId)
  if (others.length === 0 || (await promptsAmong(tx, [sourceId])).length === 0) return
  const roots = await rootsAbove(
    tx,
    others.map((relation) => relation.targetId),
  )
  if (roots.size === 0) return
  for (const root of await rootsAbove(tx, [targetId])) {
    if (roots.has(root)) continue
    const [first] = roots
    throw promptsError(
      'TWO_ROOTS',
      `Version "${sourceId}" cannot follow "${targetId}": it belongs to "${first}", and "${root}" would be a second root. A version follows versions of one prompt only; add it to the other prompt as a version of its own.`,
      { details: { id: sourceId, targetId, roots: [...roots, root] } },
    )
  }
}

/** The prompts or versions at which following ends. */
async function rootsAbove(tx: StoreTransaction, ids: readonly string[]): Promise<Set<string>> {
  const roots = new Set<string>()
  const seen = new Set<string>()
  let level = await promptsAmong(tx, ids)
  while (level.length > 0) {
    for (const id of level) seen.add(id)
    const follows = await followsOf(tx, level)
    const parents = new Set(await promptsAmong(tx, [...new Set(follows.map(({ targetId }) => targetId))]))
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

/** Those of the ids that are prompts or versions. */
async function promptsAmong(tx: StoreTransaction, ids: readonly string[]): Promise<string[]> {
  const found = await tx.getMany(minionsCollection, ids)
  return ids.filter((_, index) => found[index] && isPrompt(found[index].record))
}

/** The `follows` relations that begin at some minions. A hook has the transaction of the store, not a client. */
async function followsOf(tx: StoreTransaction, ids: readonly string[]): Promise<Relation[]> {
  const relations: Relation[] = []
  const where = { sourceId: { in: ids }, type: 'follows' }
  for await (const { record } of tx.iterate(relationsCollection, { where })) relations.push(record)
  return relations
}
