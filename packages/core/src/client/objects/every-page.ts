import { coreError } from '../../errors/codes.js'
import { guarded } from '../../errors/guard.js'
import type { Page } from '../../storage/query.js'

/** Iterates over all results of a query, page by page: `everyPage((next) => app.find({ type: 'note', ...next }))`. */
export const everyPage = guarded('everyPage', everyPageUnchecked, { callsBack: true })

async function everyPageUnchecked<T>(find: (next: { readonly cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  if (typeof find !== 'function') throw coreError('VALIDATION_FAILED', 'everyPage needs a function that finds a page.')
  const pages: T[][] = []
  let cursor: string | undefined
  do {
    const page = await find(cursor === undefined ? {} : { cursor })
    if (!Array.isArray(page?.items))
      throw coreError('VALIDATION_FAILED', 'everyPage expected a page with items; return what find returns.')
    pages.push(page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pages.flat()
}
