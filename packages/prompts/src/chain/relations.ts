import { everyPage, type MinionsAccess, type Relation, type RelationType } from '@minions/core'

/** All relations of some types that begin, or end, at some minions: one query, however many minions. */
export async function relationsAt(
  client: MinionsAccess,
  end: 'sourceIds' | 'targetIds',
  ids: readonly string[],
  types: readonly RelationType[],
): Promise<Relation[]> {
  if (ids.length === 0) return []
  return everyPage((next) => client.findRelations({ [end]: ids, types, includeDeleted: true, limit: 100_000, ...next }))
}
