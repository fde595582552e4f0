import { type TSchema, Type } from 'typebox'
import { guarded } from '../../errors/guard.js'
import type { Page } from '../../storage/query.js'
import { property } from '../property.js'

/** Input of an operation that returns a page. */
export const pageInput = {
  limit: Type.Optional(property.whole('Page size; default 100.', 20, { minimum: 1, maximum: 100_000 })),
  cursor: Type.Optional(property.text('`nextCursor` of the previous page.', 'eyJ2IjoxfQ')),
}

/** Schema of a page of records, as operations return it. */
export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    items: Type.Array(item),
    nextCursor: Type.Optional(Type.String({ description: 'Where the next page begins; absent on the last.' })),
  })

/** A page, without the cursor if there is none. */
export const asPage = guarded('asPage', <T>({ items, nextCursor }: Page<T>): { items: T[]; nextCursor?: string } => {
  return { items, ...(nextCursor !== undefined && { nextCursor }) }
})
