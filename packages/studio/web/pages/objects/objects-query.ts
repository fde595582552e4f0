/** What the address of the objects page says. */
export interface ObjectsSearch {
  readonly type?: string | undefined
  readonly q?: string | undefined
  readonly status?: string | undefined
  readonly tag?: string | undefined
  readonly order?: string | undefined
  readonly deleted?: string | undefined
}

/** Rows that are asked for at once: a screenful, and as many again to scroll to. */
const PAGE = 50

/** The field that rows are ordered by, and in which direction. */
export function orderOf({ order = '-createdAt' }: ObjectsSearch) {
  const descending = order.startsWith('-')
  return { field: descending ? order.slice(1) : order, descending }
}

/** The operation that gives the rows of the page, with its input. */
export function objectsQuery(search: ObjectsSearch): [name: string, input: object] {
  const { q } = search
  if (q !== undefined) return ['objects.search', { ...filtersOf(search), text: q, limit: PAGE }]
  const { field, descending } = orderOf(search)
  const orderBy = [{ field, direction: descending ? 'desc' : 'asc' }]
  return ['objects.find', { ...filtersOf(search), orderBy, limit: PAGE }]
}

export function filtersOf({ type, status, tag, deleted }: ObjectsSearch) {
  return {
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status: [status] }),
    ...(tag !== undefined && { tags: [tag] }),
    ...(deleted !== undefined && { includeDeleted: true }),
  }
}
