import type { Page } from '@minions/core'

/** The first `limit` results of a query, read page by page. */
export async function firstOf<T>(
  limit: number,
  find: (next: { readonly cursor?: string }) => Promise<Page<T>>,
): Promise<T[]> {
  const rows: T[] = []
  let next: { readonly cursor?: string } | undefined = {}
  while (next !== undefined && rows.length < limit) {
    const { items, nextCursor }: Page<T> = await find(next)
    rows.push(...items.slice(0, limit - rows.length))
    next = nextCursor === undefined ? undefined : { cursor: nextCursor }
  }
  return rows
}
