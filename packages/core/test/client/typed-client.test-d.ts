import { expectTypeOf, test } from 'vitest'
import { defineType, type Minion, Minions, type MinionsAccess } from '../../src/index.js'
import type { StorageBackend } from '../../src/storage/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'

const bookType = defineType({
  id: 'book',
  name: 'Book',
  slug: 'book',
  schema: [
    { name: 'author', type: 'string', required: true },
    { name: 'year', type: 'number' },
    { name: 'meta', type: 'json' },
  ],
})

declare const storage: StorageBackend
const open = () => Minions.open({ storage, types: [bookType] })

test('built-in slugs and slugs of given types type what is created', async () => {
  const client = await open()
  const task = await client.create('task', { title: 'Call Ada', status: 'todo' })
  expectTypeOf(task.fields).not.toBeAny()
  // @ts-expect-error a task has no such field
  await client.create('task', { title: 'Call Ada', fields: { prority: 'high' } })
  // @ts-expect-error a note has content
  await client.create('note', { title: 'Empty' })
  const book = await client.create('book', { title: 'B', fields: { author: 'Ada', year: 1843 } })
  expectTypeOf(book.fields.author).toEqualTypeOf<string>()
  expectTypeOf(book.fields.year).toEqualTypeOf<number | undefined>()
  // @ts-expect-error the field is misspelt
  await client.create('book', { title: 'B', fields: { auther: 'Ada' } })
  // @ts-expect-error a year is a number
  await client.createMany('book', [{ title: 'B', fields: { author: 'Ada', year: '1843' } }])
  const [first] = await client.createMany(bookType, [{ title: 'B', fields: { author: 'Ada' } }])
  expectTypeOf(first?.fields.author).toEqualTypeOf<string | undefined>()
})

test('a slug that the compiler does not know takes and gives any fields', async () => {
  const client = await open()
  const slug: string = 'made-at-run-time'
  const minion = await client.create(slug, { title: 'x', fields: { anything: 1 } })
  expectTypeOf(minion).toExtend<Minion>()
  await client.create('made-at-run-time', { title: 'x', fields: { anything: 1 } })
})

test('get and update with a type', async () => {
  const client = await open()
  expectTypeOf(await client.get('some-id')).toEqualTypeOf<Minion | undefined>()
  const book = await client.get('book', 'some-id')
  expectTypeOf(book?.fields.author).toEqualTypeOf<string | undefined>()
  const updated = await client.update('book', 'some-id', { fields: { year: 1843 } })
  expectTypeOf(updated.fields.year).toEqualTypeOf<number | undefined>()
  await client.update(bookType, 'some-id', { fields: { year: null } }, { by: 'ada' })
  // @ts-expect-error the field is misspelt
  await client.update('book', 'some-id', { fields: { yer: 1843 } })
  // @ts-expect-error a required field cannot be removed
  await client.update('book', 'some-id', { fields: { author: null } })
  await client.update('some-id', { fields: { anything: 1 } }, { ifRevision: 'r' })
})

test('queries of a known type have its paths', async () => {
  const client = await open()
  const { items } = await client.find({
    type: 'book',
    where: { 'fields.year': { gte: 1843 }, title: 'x', or: [{ 'fields.meta.isbn': '1' }, { status: 'todo' }] },
    orderBy: [{ field: 'fields.year', direction: 'desc' }],
  })
  expectTypeOf(items[0]?.fields.author).toEqualTypeOf<string | undefined>()
  // @ts-expect-error the field is misspelt
  await client.find({ type: 'book', where: { 'fields.yer': 1843 } })
  // @ts-expect-error the field is misspelt, in a group
  await client.find({ type: 'book', where: { and: [{ 'fields.yer': 1843 }] } })
  // @ts-expect-error the attribute is misspelt
  await client.count({ type: bookType, where: { titel: 'x' } })
  // @ts-expect-error the field is misspelt
  await client.search('x', { type: 'task', orderBy: [{ field: 'fields.progres' }] })
  await client.find({ where: { 'fields.anything': 1 } })
  const everything = await client.find()
  expectTypeOf(everything.items).toEqualTypeOf<Minion[]>()
})

test('a transaction has the same types, and a client with more types is a client', async () => {
  const client = await open()
  await client.transaction(async (tx) => {
    const book = await tx.create('book', { title: 'B', fields: { author: 'Ada' } })
    expectTypeOf(book.fields.author).toEqualTypeOf<string>()
    // @ts-expect-error the field is misspelt
    await tx.create('book', { title: 'B', fields: { auther: 'Ada' } })
    // @ts-expect-error the store is not closed inside a transaction
    tx.close
  })
  expectTypeOf(client).toExtend<Minions>()
  expectTypeOf(client).toExtend<MinionsAccess>()
  expectTypeOf(await Minions.open({ storage: memoryStorage() })).toExtend<Minions>()
})
