import type { Relation } from '@minions/core'
import { jsonEqual } from '@minions/core/json'
import type { ImportedRecords, MinionChange } from '@minions/core/plugin'
import type { StoreTransaction } from '@minions/core/storage'
import { isPrompt, isTemplate } from '../chain/prompt-minion.js'
import { followInclusions, noteInclusions } from '../fragments/inclusions.js'
import { moveIn } from '../labels/label-moves.js'
import { indexNames, noteNaming } from '../names/name-index.js'
import { namingIn } from '../names/namings.js'
import { promptVersionsCollection } from './collections.js'
import { noteFollows, noteLife, noteUnfollowed } from './follow-chain.js'
import { indexLabels, noteForgotten, noteMoved } from './follow-labels.js'
import { indexParts, noteJoined, noteParted } from './follow-parts.js'
import { indexChain } from './index-chain.js'

/** Updates the index after a change to a minion. Its relations are handled separately. */
export async function followChange(
  { kind, minionId, before, after }: MinionChange,
  tx: StoreTransaction,
): Promise<void> {
  const minion = after ?? before
  if (!minion || !isPrompt(minion)) return
  await followInclusions({ before, after }, tx)
  if (kind === 'purged') await tx.delete(promptVersionsCollection, minionId)
  else if (isTemplate(minion)) return
  else if (kind === 'deleted' || kind === 'restored') await noteLife(tx, minion)
  else if (before && !jsonEqual(before.fields.versionNumber, after?.fields.versionNumber))
    await indexChain(tx, minionId)
}

/** Updates the index after a new relation. */
export async function followLink(relation: Relation, tx: StoreTransaction): Promise<void> {
  if (relation.type === 'follows') await noteFollows(tx, relation)
  else if (relation.type === 'part_of') await noteJoined(tx, relation)
  else if (relation.type === 'references') {
    await noteMoved(tx, relation)
    await noteNaming(tx, relation, 'refuse')
  }
}

/** Updates the index after a removed relation. */
export async function followUnlink(relation: Relation, tx: StoreTransaction): Promise<void> {
  if (relation.type === 'follows') await noteUnfollowed(tx, relation)
  else if (relation.type === 'part_of') await noteParted(tx, relation)
  else if (relation.type === 'references') {
    await noteForgotten(tx, relation)
    await noteNaming(tx, relation, 'leave')
  }
}

/** Updates the index after an import: each affected chain is indexed once. */
export async function followImport({ minions, relations }: ImportedRecords, tx: StoreTransaction): Promise<void> {
  await noteInclusions(tx, minions.filter(isPrompt))
  const joining = relations.filter(({ type }) => type === 'part_of')
  const indexed = new Set<string>()
  for (const { sourceId } of [...joining, ...relations.filter(({ type }) => type === 'follows')]) {
    if (indexed.has(sourceId)) continue
    indexed.add(sourceId)
    for (const id of await indexChain(tx, sourceId)) indexed.add(id)
  }
  await indexParts(tx, joining)
  const moved = relations.filter(moveIn).map(({ sourceId }) => sourceId)
  await indexLabels(tx, [...new Set(moved)])
  const named = relations.flatMap((relation) => namingIn(relation)?.promptId ?? [])
  await indexNames(tx, [...new Set(named)], 'refuse')
}
