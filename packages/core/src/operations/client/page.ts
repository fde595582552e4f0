import { type TSchema, Type } from 'typebox'
import { guarded } from '../../errors/guard.js'
import type { Page } from '../../storage/query.js'

/** Input of an operation that returns a page. */
export const pageInput = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Page size; default 100.',
      examples: [20],
    }),
  ),
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of the previous page.', examples: ['eyJ2IjoxfQ'] })),
}

/** Schema of a page of records, as operations return it. */
export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    items: Type.Array(item),
    nextCursor: Type.Optional(Type.String({ description: 'Where the next page begins; absent on the last.' })),
  })

/** A page, without the cursor if there is none. */
export const asPage = guarded('asPage', asPageUnchecked)

function asPageUnchecked<T>({ items, nextCursor }: Page<T>): { items: T[]; nextCursor?: string } {
  return { items, ...(nextCursor !== undefined && { nextCursor }) }
}
