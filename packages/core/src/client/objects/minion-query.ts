import { coreError } from '../../errors/codes.js'
import { guarded } from '../../errors/guard.js'
import type { MinionStatus } from '../../schemas/minion.js'
import type { MinionType } from '../../schemas/minion-type.js'
import type { CollectionQuery, Where } from '../../storage/query.js'
import { minionTypeType } from '../../types/minion-type-type.js'
import type { TypeName, TypeNamed } from '../../types/type-map.js'
import { LISTING, requireKnownNames } from '../errors.js'
import type { OrderByOf, WhereOf } from './typed-query.js'

/** A query for minions. Omitted properties do not restrict. A type known to the compiler types paths and results. */
export interface MinionQuery<Name extends TypeName = TypeName, Type extends MinionType = TypeNamed<unknown, Name>>
  extends Pick<CollectionQuery, 'limit' | 'cursor'> {
  /** Slug, id, or a type created by `defineType`. */
  readonly type?: Name
  readonly status?: MinionStatus | readonly MinionStatus[]
  /** Tags that a minion must have, all of them. */
  readonly tags?: readonly string[]
  /** Conditions on attributes and fields, e.g. `{ 'fields.confidence': { gte: 0.8 } }`. */
  readonly where?: WhereOf<NoInfer<Type>>
  /** Default: creation time. */
  readonly orderBy?: readonly OrderByOf<NoInfer<Type>>[]
  /** Include soft-deleted minions. */
  readonly includeDeleted?: boolean
}

const MOST_TAGS = 1000

const KNOWN: readonly (keyof MinionQuery)[] = ['type', 'status', 'tags', 'where', ...LISTING]

/** Translates the query for the store. `typeId` is the id of `query.type`. */
export const toCollectionQuery = guarded('A query', toCollectionQueryUnchecked, { code: 'INVALID_QUERY' })

function toCollectionQueryUnchecked(query: MinionQuery, typeId: string | undefined): CollectionQuery {
  requireKnownNames('A query', query, KNOWN)
  const { status, tags, where, orderBy, limit, cursor, includeDeleted } = query
  const conditions: Where[] = listOfTags(tags).map((tag) => ({ tags: { contains: tag } }))
  if (where !== undefined) conditions.push(where)
  return {
    where: {
      // Types described as minions appear only when queried explicitly.
      minionTypeId: typeId ?? { ne: minionTypeType.id },
      ...(includeDeleted !== true && { deletedAt: null }),
      ...(status !== undefined && { status: Array.isArray(status) ? { in: status } : (status as MinionStatus) }),
      ...(conditions.length > 0 && { and: conditions }),
    },
    ...(orderBy !== undefined && { orderBy }),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  }
}

function listOfTags(tags: unknown): readonly string[] {
  if (tags === undefined) return []
  if (Array.isArray(tags) && tags.length <= MOST_TAGS) return Array.from(tags)
  throw coreError('INVALID_QUERY', `The tags of a query must be a list of at most ${MOST_TAGS}.`)
}
