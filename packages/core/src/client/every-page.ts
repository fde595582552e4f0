import type { Page } from '../storage/query.js'

/** Everything that a query finds, page after page: `everyPage((next) => app.find({ type: 'note', ...next }))`. */
export async function everyPage<T>(find: (next: { readonly cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const pages: T[][] = []
  let cursor: string | undefined
  do {
    const page = await find(cursor === undefined ? {} : { cursor })
    pages.push(page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pages.flat()
}
