import { type MinionsAccess, type Relation, type RelationType, relationsCollection } from '@minions/core'

/** All relations that begin, or end, at some minions; with `types`, only of those. One question, however many minions. */
export async function relationsAt(
  client: MinionsAccess,
  end: 'sourceId' | 'targetId',
  ids: readonly string[],
  types?: readonly RelationType[],
): Promise<Relation[]> {
  const relations: Relation[] = []
  const where = { [end]: { in: ids }, ...(types && { type: { in: types } }) }
  for await (const { record } of client.storage.iterate(relationsCollection, { where, limit: 100_000 })) {
    relations.push(record)
  }
  return relations
}

/** All relations between some minions. */
export async function relationsAmong(
  client: MinionsAccess,
  ids: readonly string[],
  types?: readonly RelationType[],
): Promise<Relation[]> {
  const inside = new Set(ids)
  return (await relationsAt(client, 'sourceId', ids, types)).filter(({ targetId }) => inside.has(targetId))
}
