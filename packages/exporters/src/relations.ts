import { everyPage, type MinionsAccess, type Relation, type RelationType } from '@minions/core'

/** All relations that begin, or end, at some minions; with `types`, only of these types. */
export function relationsAt(
  client: MinionsAccess,
  end: 'sourceIds' | 'targetIds',
  ids: readonly string[],
  types?: readonly RelationType[],
): Promise<Relation[]> {
  const query = { [end]: ids, ...(types && { types }), includeDeleted: true, limit: 100_000 }
  return everyPage((next) => client.findRelations({ ...query, ...next }))
}

/** All relations between some minions. */
export async function relationsAmong(
  client: MinionsAccess,
  ids: readonly string[],
  types?: readonly RelationType[],
): Promise<Relation[]> {
  const inside = new Set(ids)
  return (await relationsAt(client, 'sourceIds', ids, types)).filter(({ targetId }) => inside.has(targetId))
}
