import type { Minion, Relation } from '@minions/core'
import { minionsCollection, type StoreTransaction } from '@minions/core/storage'
import { storeReader } from '../chain/chain-reader.js'
import { isPrompt } from '../chain/prompt-minion.js'
import { promptTestType } from '../types/prompt-test.js'
import { promptVariableType } from '../types/prompt-variable.js'
import { type PartKind, promptPartsCollection } from './collections.js'
import { notePartOf } from './follow-chain.js'

export async function noteJoined(tx: StoreTransaction, { sourceId, targetId }: Relation): Promise<void> {
  const [source, target] = await tx.getMany(minionsCollection, [sourceId, targetId])
  if (!source || !target || !isPrompt(target.record)) return
  if (isPrompt(source.record)) return notePartOf(tx, source.record, target.record)
  const kind = kindOf(source.record)
  if (kind) await tx.put(promptPartsCollection, { ownerId: targetId, id: sourceId, kind })
}

export async function noteParted(tx: StoreTransaction, { sourceId, targetId }: Relation): Promise<void> {
  const [source, target] = await tx.getMany(minionsCollection, [sourceId, targetId])
  if (source && target && isPrompt(source.record) && isPrompt(target.record)) {
    return notePartOf(tx, source.record, target.record)
  }
  if (!(await tx.get(promptPartsCollection, [targetId, sourceId]))) return
  const others = await storeReader(tx).relations('sourceIds', [sourceId], ['part_of'])
  if (others.some((other) => other.targetId === targetId)) return
  await tx.delete(promptPartsCollection, [targetId, sourceId])
}

/** Indexes the variables and tests among the sources of some relations. */
export async function indexParts(tx: StoreTransaction, relations: readonly Relation[]): Promise<void> {
  const ids = [...new Set(relations.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))]
  const found = await tx.getMany(minionsCollection, ids)
  const minions = new Map(found.flatMap((revised) => (revised ? [[revised.record.id, revised.record]] : [])))
  const parts = relations.flatMap(({ sourceId: id, targetId: ownerId }) => {
    const [source, owner] = [minions.get(id), minions.get(ownerId)]
    const kind = source && owner && isPrompt(owner) ? kindOf(source) : undefined
    return kind ? [{ ownerId, id, kind }] : []
  })
  await tx.putMany(promptPartsCollection, parts)
}

/** The role of a minion that is part of a prompt. */
function kindOf({ minionTypeId }: Minion): PartKind | undefined {
  if (minionTypeId === promptVariableType.id) return 'variable'
  return minionTypeId === promptTestType.id ? 'test' : undefined
}
