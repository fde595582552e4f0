import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Collection, type CollectionQuery, defineCollection, Store, WriteBatch } from '@minions/core/storage'
import Database from 'better-sqlite3'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { scratchFolder } from '../../../tools/scratch-folder.js'
import { randomFrom } from '../../../tools/torture/random.mjs'
import { sqliteStorage } from '../src/index.js'

/** Every kind of column, in every kind of index. */
const books = defineCollection({
  name: 'books',
  version: 1,
  schema: Type.Object({
    id: Type.String(),
    code: Type.String(),
    shelf: Type.Optional(Type.String()),
    pages: Type.Optional(Type.Number()),
    lent: Type.Optional(Type.Boolean()),
    topics: Type.Optional(Type.Array(Type.String())),
    about: Type.Object({ text: Type.Optional(Type.String()), note: Type.Optional(Type.String()) }),
    follows: Type.Optional(Type.String()),
  }),
  key: 'id',
  columns: {
    code: { type: 'string', required: true, unique: true },
    shelf: 'string',
    pages: { type: 'number', indexed: true },
    lent: 'boolean',
    topics: { type: 'strings', indexed: true },
    follows: 'string',
  },
  indexes: [['shelf', 'pages'], ['lent']],
  references: [{ columns: ['follows'], collection: 'books' }],
  text: 'about.text',
})

type Book = typeof books extends Collection<infer T> ? T : never

let folder: string
let store: Store
beforeEach(async () => {
  folder = mkdtempSync(join(scratchFolder, 'minions-sqlite-'))
  store = await Store.open(sqliteStorage({ path: join(folder, 'store.db'), synchronous: 'off' }), [books])
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const random = randomFrom(20_268)
const below = (limit: number) => Math.floor(random() * limit)
const oneOf = <T>(list: readonly T[]) => list[below(list.length)] as T
const SHELVES = ['a', 'b', 'é']
const TOPICS = ['sea', 'sky', 'Sky', 'seä']
const WORDS = ['harbour', 'Lantern', 'naïve', '東京', 'copper']
const maybe = <T>(value: T) => (below(3) === 0 ? undefined : value)

/** New values for some of the properties; each is often what it was. */
function changes(size: number): object {
  const all = {
    shelf: maybe(oneOf(SHELVES)),
    pages: maybe(oneOf([0, 1, -2.5, 1e21])),
    lent: maybe(below(2) === 0),
    topics: maybe(Array.from({ length: below(4) }, () => oneOf(TOPICS))),
    about: { text: maybe(Array.from({ length: below(3) }, () => oneOf(WORDS)).join(' ')), note: maybe('x') },
    follows: maybe(`b${below(size)}`),
  }
  return Object.fromEntries(Object.entries(all).filter(() => below(3) === 0))
}

const queries: readonly (readonly [query: CollectionQuery, matches: (book: Book) => boolean])[] = [
  ...SHELVES.map((shelf) => [{ where: { shelf } }, (book: Book) => book.shelf === shelf] as const),
  ...[0, 1, -2.5, 1e21].map((pages) => [{ where: { pages } }, (book: Book) => book.pages === pages] as const),
  ...[true, false].map((lent) => [{ where: { lent } }, (book: Book) => book.lent === lent] as const),
  ...TOPICS.map(
    (topic) =>
      [{ where: { topics: { contains: topic } } }, (book: Book) => (book.topics ?? []).includes(topic)] as const,
  ),
  ...WORDS.map((text) => [{ text }, (book: Book) => (book.about.text ?? '').split(' ').includes(text)] as const),
]

it.each([
  [1, 40],
  [8, 60],
  [150, 40],
])('finds each of %i records by what it has become, and by nothing it was', async (size, rounds) => {
  const model = new Map<string, Book>()
  for (let index = 0; index < size; index++) model.set(`b${index}`, { id: `b${index}`, code: `${index}`, about: {} })
  await store.putMany(books, [...model.values()])
  for (let round = 0; round < rounds; round++) {
    const batch = new WriteBatch()
    for (const id of new Set(Array.from({ length: 1 + below(size) }, () => `b${below(size)}`))) {
      // Undefined removes a property.
      const changed = JSON.parse(JSON.stringify({ ...model.get(id), ...changes(size) })) as Book
      model.set(id, changed)
      batch.put(books, changed)
    }
    await store.write(batch)
    if (round % 10 < 9) continue
    for (const [query, matches] of queries) {
      const { items } = await store.find(books, { ...query, orderBy: [{ field: 'id' }], limit: 1000 })
      const expected = [...model.values()].filter(matches).sort((a, b) => (a.id < b.id ? -1 : 1))
      expect(items, JSON.stringify(query)).toEqual(expected)
    }
  }
  expect(problemsOf(join(folder, 'store.db'))).toEqual([])
})

it.each([
  ['others', { topics: ['sky'], about: { text: 'lantern' } }, 1],
  ['none', { about: {} }, 0],
])('replaces the lists and the text of a damaged document by %s', async (_, record, expected) => {
  await store.put(books, { id: 'a', code: '1', topics: ['sea'], about: { text: 'harbour' } })
  const database = new Database(join(folder, 'store.db'))
  database.prepare('UPDATE books SET _doc = ?').run('{"id":"a","top')
  database.close()
  await store.put(books, { id: 'a', code: '1', ...record })
  const found = async (query: CollectionQuery) => (await store.find(books, query)).items.length
  expect(await found({ where: { topics: { contains: 'sea' } } })).toBe(0)
  expect(await found({ where: { topics: { contains: 'sky' } } })).toBe(expected)
  expect(await found({ text: 'harbour' })).toBe(0)
  expect(await found({ text: 'lantern' })).toBe(expected)
})

/** What SQLite itself finds wrong with a file. */
function problemsOf(path: string): unknown[] {
  const database = new Database(path)
  const found = database.pragma('integrity_check', { simple: true })
  const broken = database.pragma('foreign_key_check') as unknown[]
  database.close()
  return found === 'ok' ? broken : [found, ...broken]
}
