import { type Relation, type RelationType, relationsCollection, type StoreReader } from '@minions/core'

/** All relations of some types that begin, or end, at some minions: one query, however many minions. */
export async function relationsAt(
  client: { readonly storage: StoreReader },
  end: 'sourceId' | 'targetId',
  ids: readonly string[],
  types: readonly RelationType[],
): Promise<Relation[]> {
  const relations: Relation[] = []
  if (ids.length === 0) return relations
  const [type] = types
  const where = { [end]: { in: ids }, type: types.length === 1 && type ? type : { in: types } }
  for await (const { record } of client.storage.iterate(relationsCollection, { where, limit: 100_000 })) {
    relations.push(record)
  }
  return relations
}
