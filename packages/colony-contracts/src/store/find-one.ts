import { isId, MinionsError, quote } from '@minions/core'
import type { Collection, StoreReader } from '@minions/core/storage'
import { contractsError } from '../errors.js'

/** The scope of a lookup; omitted properties do not restrict. */
export interface Scope {
  readonly missionId?: string | undefined
  readonly tenantId?: string | undefined
}

/**
 * The record with an id. Ids are unique only within their mission, so an id alone is enough as long as a single mission
 * has it; otherwise throws `AMBIGUOUS_ID`, or `NOT_FOUND` when there is none within the scope.
 */
export async function findOne<T>(
  reader: StoreReader,
  collection: Collection<T>,
  idField: string,
  id: string,
  { missionId, tenantId }: Scope,
): Promise<T> {
  const where = {
    [idField]: id,
    ...(missionId !== undefined && { mission_id: missionId }),
    ...(tenantId !== undefined && { tenant_id: tenantId }),
  }
  const { items } = isId(id) ? await reader.find(collection, { where, limit: 2 }) : { items: [] }
  if (items.length > 1) {
    const message = `Several missions have a record with the ${idField} ${quote(id)}; name the mission.`
    throw contractsError('AMBIGUOUS_ID', message, { details: { [idField]: id } })
  }
  if (items[0] !== undefined) return items[0]
  const message = `No mission${missionId === undefined ? '' : ` ${quote(missionId)}`} has a record with the ${idField} ${quote(id)}.`
  throw new MinionsError('NOT_FOUND', message, { details: { [idField]: quote(id), missionId: missionId ?? null } })
}
