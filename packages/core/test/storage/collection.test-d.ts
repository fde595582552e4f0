import { Type } from 'typebox'
import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import type { Page } from '../../src/index.js'
import {
  type Collection,
  defineCollection,
  type RecordOf,
  type Revised,
  type StoreAccess,
} from '../../src/storage/index.js'

interface Note {
  id: string
  pages?: number
}

const notes = defineCollection({
  name: 'notes',
  version: 1,
  schema: Type.Object({ id: Type.String(), pages: Type.Optional(Type.Integer()) }),
  key: 'id',
})

declare const store: StoreAccess

it('derives the record of a collection from its schema', () => {
  expectTypeOf(notes).toEqualTypeOf<Collection<Note>>()
  expectTypeOf<RecordOf<typeof notes>>().toEqualTypeOf<Note>()
})

it('derives it from the schema of another library, too', () => {
  const cards = defineCollection({ name: 'cards', schema: z.object({ id: z.string(), n: z.number() }), key: 'id' })
  expectTypeOf(cards).toEqualTypeOf<Collection<{ id: string; n: number }>>()
})

it('reads records of that type', () => {
  expectTypeOf(store.get(notes, 'n')).resolves.toEqualTypeOf<Note | undefined>()
  expectTypeOf(store.getMany(notes, ['n'])).resolves.toEqualTypeOf<(Revised<Note> | undefined)[]>()
  expectTypeOf(store.find(notes)).resolves.toEqualTypeOf<Page<Note>>()
  expectTypeOf(store.findRevised(notes)).resolves.toEqualTypeOf<Page<Revised<Note>>>()
  expectTypeOf(store.iterate(notes)).toEqualTypeOf<AsyncIterable<Revised<Note>>>()
})

it('writes records of that type only', () => {
  store.put(notes, { id: 'n', pages: 2 })
  // @ts-expect-error the id is missing
  store.put(notes, { pages: 2 })
  // @ts-expect-error pages is not a number
  store.put(notes, { id: 'n', pages: 'two' })
  // @ts-expect-error the collection has no such property
  store.put(notes, { id: 'n', colour: 'red' })
  // @ts-expect-error the second record has no id
  store.putMany(notes, [{ id: 'n' }, {}])
  // @ts-expect-error the collection alone says what it holds
  store.put(notes, {} as unknown)
  // @ts-expect-error the collection alone says what it holds
  store.putMany(notes, [] as unknown[])
})

it('takes a collection of any record where the record does not matter', () => {
  const all: readonly Collection[] = [notes]
  expectTypeOf(store.find(all[0] as Collection)).resolves.toEqualTypeOf<Page<unknown>>()
  // @ts-expect-error not every record is a note
  const wrong: Collection<Note> = all[0] as Collection
  // @ts-expect-error a collection of other records
  const other: Collection<{ id: number }> = notes
  void [wrong, other]
})
