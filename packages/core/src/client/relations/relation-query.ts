import { coreError } from '../../errors/codes.js'
import type { Relation, RelationType } from '../../schemas/relation.js'
import type { CollectionQuery, Page, Where } from '../../storage/query.js'
import { relationsCollection } from '../collections.js'
import { LISTING, requireKnownNames } from '../errors.js'
import type { Session } from '../session.js'
import { withoutDeleted } from './links.js'

/** A query for the relations of many minions at once. Omitted properties do not restrict. */
export interface RelationQuery extends Pick<CollectionQuery, 'orderBy' | 'limit' | 'cursor'> {
  /** Source minions; an empty list finds nothing. */
  readonly sourceIds?: readonly string[]
  /** Target minions; an empty list finds nothing. */
  readonly targetIds?: readonly string[]
  readonly types?: readonly RelationType[]
  /** Values of `label` in the relation metadata. */
  readonly labels?: readonly string[]
  /** Include relations with a soft-deleted end; without them, a page may be short although another follows. */
  readonly includeDeleted?: boolean
}

const KNOWN: readonly (keyof RelationQuery)[] = ['sourceIds', 'targetIds', 'types', 'labels', ...LISTING]

/** A page of relations: one query to the store, however many minions it names. */
export async function pageOfRelations(session: Session, query: RelationQuery): Promise<Page<Relation>> {
  requireKnownNames('A query for relations', query, KNOWN)
  const { sourceIds, targetIds, types, labels, orderBy, limit, cursor, includeDeleted = false } = query
  const where: Where = {
    ...(sourceIds && { sourceId: anyOf('sourceIds', sourceIds) }),
    ...(targetIds && { targetId: anyOf('targetIds', targetIds) }),
    ...(types && { type: anyOf('types', types) }),
    ...(labels && { 'metadata.label': anyOf('labels', labels) }),
  }
  const page = await session.store.find(relationsCollection, {
    where,
    ...(orderBy && { orderBy }),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  })
  return includeDeleted ? page : { ...page, items: await withoutDeleted(session.store, page.items) }
}

/** A single value is compared rather than looked up in a list, so that every backend uses its index. */
function anyOf(name: string, values: readonly string[]): string | { readonly in: readonly string[] } {
  if (!Array.isArray(values)) throw coreError('INVALID_QUERY', `\`${name}\` of a query for relations must be a list.`)
  const [only] = values
  return values.length === 1 && only !== undefined ? only : { in: values }
}
