import { isId, MinionsError } from '@minions/core'
import type { Collection, StoreReader } from '@minions/core/storage'
import { contractsError } from '../errors.js'
import { quote } from '../validation/problem.js'

/** Whose record is meant; what is left out is not asked for. */
export interface Scope {
  readonly missionId?: string | undefined
  readonly tenantId?: string | undefined
}

/**
 * The one record that an id means. Ids are unique within their mission only, so an id alone will do as long as a single
 * mission has it; otherwise `AMBIGUOUS_ID`, or `NOT_FOUND` when there is none within the scope.
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
    const message = `Several missions have a record with the ${idField} ${quote(id)}; say which mission is meant.`
    throw contractsError('AMBIGUOUS_ID', message, { details: { [idField]: id } })
  }
  if (items[0] !== undefined) return items[0]
  const message = `No mission${missionId === undefined ? '' : ` ${quote(missionId)}`} has a record with the ${idField} ${quote(id)}.`
  throw new MinionsError('NOT_FOUND', message, { details: { [idField]: quote(id), missionId: missionId ?? null } })
}
