import { everyPage, type Relation } from '@minions/core'
import type { StoreTransaction } from '@minions/core/storage'
import { storeReader } from '../chain/chain-reader.js'
import { currentOf, moveIn, movesOf, stateOf } from '../labels/label-moves.js'
import { PRODUCTION } from '../labels/label-name.js'
import { publicationNumber } from '../versions/publications.js'
import { type IndexedLabel, promptLabelsCollection } from './collections.js'
import { replaceEntries } from './replace-entries.js'

/** Handles a label move, if a `references` relation describes one. */
export async function noteMoved(tx: StoreTransaction, relation: Relation): Promise<void> {
  const target = moveIn(relation)
  if (!target) return
  const { label, move } = target
  const promptId = relation.sourceId
  const before = await tx.get(promptLabelsCollection, [promptId, label])
  // One of several targets, or an imported move that is not the last.
  if (before && before.move >= move) return indexLabels(tx, [promptId])
  const firstId = isFirst(relation) ? relation.id : before?.firstId
  await tx.put(promptLabelsCollection, { ...stateOf(promptId, [target]), ...(firstId && { firstId }) })
}

/** Handles a forgotten move, because the version was removed permanently or the relation was. */
export async function noteForgotten(tx: StoreTransaction, relation: Relation): Promise<void> {
  if (moveIn(relation)) await indexLabels(tx, [relation.sourceId])
}

/** Reads the moves of prompts and rewrites the entries of their labels. */
export async function indexLabels(tx: StoreTransaction, promptIds: readonly string[]): Promise<void> {
  if (promptIds.length === 0) return
  const reader = storeReader(tx)
  const moves = await movesOf(reader, promptIds)
  const where = { promptId: { in: promptIds } }
  const stored = await everyPage((next) => tx.find(promptLabelsCollection, { where, ...next }))
  const firsts = new Map<string, string>()
  for (const relation of await reader.relations('sourceIds', promptIds, ['references'])) {
    if (isFirst(relation)) firsts.set(relation.sourceId, relation.id)
  }
  const entries = promptIds.flatMap((promptId) =>
    currentOf(moves.get(promptId) ?? []).map((state): IndexedLabel => {
      const firstId = state.label === PRODUCTION ? firsts.get(promptId) : undefined
      return { ...state, ...(firstId !== undefined && { firstId }) }
    }),
  )
  await replaceEntries(tx, promptLabelsCollection, stored, entries)
}

/** True for the relation that keeps version 0. */
function isFirst(relation: Relation): boolean {
  return publicationNumber(relation) === 1
}
