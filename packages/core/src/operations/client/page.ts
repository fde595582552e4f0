import { type TSchema, Type } from 'typebox'
import type { Page } from '../../storage/query.js'

/** Schema of a page of records, as operations return it. */
export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    items: Type.Array(item),
    nextCursor: Type.Optional(Type.String({ description: 'Where the next page begins; absent on the last.' })),
  })

/** A page without the cursor that it does not have. */
export function asPage<T>({ items, nextCursor }: Page<T>): { items: T[]; nextCursor?: string } {
  return { items, ...(nextCursor !== undefined && { nextCursor }) }
}
