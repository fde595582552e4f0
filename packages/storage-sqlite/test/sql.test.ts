import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Minions } from '@minions/core'
import { defineCollection, RESERVED_WORDS, Store } from '@minions/core/storage'
import Database from 'better-sqlite3'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSqlQueries } from '../../../tools/docs/snippets.mjs'
import { sqliteStorage } from '../src/index.js'

const folder = mkdtempSync(join(tmpdir(), 'minions-sql-'))
const path = join(folder, 'minions.db')
let database: Database.Database

beforeAll(async () => {
  const minions = await Minions.open({ storage: sqliteStorage({ path }) })
  const todo = { title: 'Write', status: 'todo', tags: ['urgent'], fields: { content: 'a letter' } } as const
  const [first, second] = await minions.createMany('note', [todo, { title: 'Read', fields: { content: 'a book' } }])
  await minions.link({ sourceId: first?.id ?? '', targetId: second?.id ?? '', type: 'references' })
  await minions.close()
  database = new Database(path, { readonly: true })
})
afterAll(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

const queries = readSqlQueries(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))

describe('the queries of the README', () => {
  const readAndWrite = [
    ['Read', 'a book'],
    ['Write', 'a letter'],
  ]
  const answers = [[['Write', 'todo']], readAndWrite, [['Write']], [['Write', 'references', 'Read']]]

  it('are four', () => expect(queries).toHaveLength(answers.length))

  it.each(queries.map((query, index) => [query, answers[index]]))('%s', (query, rows) => {
    expect(
      database
        .prepare(query as string)
        .raw()
        .all(),
    ).toEqual(rows)
  })

  it.skipIf(!hasShell())('run in the sqlite3 shell', { meta: { needs: 'the sqlite3 shell' } }, () => {
    expect(execFileSync('sqlite3', [path, queries[0] ?? ''], { encoding: 'utf8' })).toBe('Write|todo\n')
  })
})

it('has a safe name for every word that SQLite reserves', () => {
  const memory = new Database(':memory:')
  const isReserved = (word: string) => {
    try {
      memory.exec(`CREATE TABLE ${word} (x, ${word} TEXT)`)
      memory.exec(`SELECT ${word}, t.${word} FROM ${word} t WHERE ${word} = 1 ORDER BY ${word}; DROP TABLE ${word}`)
      return false
    } catch {
      return true
    }
  }
  const words = keywords()
  expect(words.length).toBeGreaterThan(140)
  expect(words.filter((word) => isReserved(word) && !RESERVED_WORDS.has(word))).toEqual([])
})

it('refuses what another version has upgraded meanwhile, reading and writing', async () => {
  const items = (version: number) =>
    defineCollection({ name: 'items', version, schema: Type.Object({ id: Type.String() }), key: 'id' })
  const options = { path: join(folder, 'upgraded.db') }
  const old = await Store.open(sqliteStorage(options), [items(1)])
  await old.put(items(1), { id: 'a' })
  const fresh = await Store.open(sqliteStorage(options), [items(2)])
  for (const attempt of [
    () => old.get(items(1), 'a'),
    () => old.find(items(1)),
    () => old.put(items(1), { id: 'b' }),
    () => old.put(items(1), { id: 'c' }, { ifAbsent: true }),
    () => old.delete(items(1), 'a'),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'STORAGE_VERSION' })
  }
  expect(await fresh.count(items(2))).toBe(1)
  await old.close()
  await fresh.close()
})

it('enforces a reference to a collection that comes later, and to one whose key gets another name', async () => {
  const schema = Type.Object({ id: Type.String() })
  const parts = defineCollection({
    ...{ name: 'parts', version: 1, schema, key: 'id', columns: { itemId: 'string' } },
    references: [{ columns: ['itemId'], collection: 'items' }],
  })
  const items = defineCollection({ name: 'items', version: 1, schema, key: 'id' })
  const slugs = defineCollection({
    ...{ name: 'items', version: 2, schema: Type.Object({ slug: Type.String() }), key: 'slug' },
    upgrades: { 1: (record) => ({ ...record, slug: record.id as string }) },
  })
  const storage = () => sqliteStorage({ path: join(folder, 'later.db') })
  const refused = { code: 'REFERENCE_VIOLATION', details: { collection: 'parts', key: 'p2', target: 'i1' } }
  const part = { id: 'p2', itemId: 'i1' }
  const alone = await Store.open(storage(), [parts])
  await alone.put(parts, { id: 'p1' })
  await expect(alone.put(parts, part)).rejects.toMatchObject(refused)
  await alone.close()
  const both = await Store.open(storage(), [items])
  await expect(both.put(parts, part)).rejects.toMatchObject(refused)
  await both.put(items, { id: 'i1' })
  await both.put(parts, part)
  await expect(both.delete(items, 'i1')).rejects.toMatchObject(refused)
  await both.close()
  const renamed = await Store.open(storage(), [slugs])
  await expect(renamed.delete(slugs, 'i1')).rejects.toMatchObject(refused)
  expect(await renamed.count(parts, { where: { itemId: 'i1' } })).toBe(1)
  await renamed.close()
})

function hasShell(): boolean {
  try {
    execFileSync('sqlite3', ['-version'])
    return true
  } catch {
    return false
  }
}

/** The words of SQLite's grammar, as its documentation lists them. */
function keywords(): string[] {
  return `abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade
    case cast check collate column commit conflict constraint create cross current current_date current_time
    current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape except
    exclude exclusive exists explain fail filter first following for foreign from full generated glob group groups having
    if ignore immediate in index indexed initially inner insert instead intersect into is isnull join key last left like
    limit match materialized natural no not nothing notnull null nulls of offset on or order others outer over partition
    plan pragma preceding primary query raise range recursive references regexp reindex release rename replace restrict
    returning right rollback row rows savepoint select set table temp temporary then ties to transaction trigger unbounded
    union unique update using vacuum values view virtual when where window with without`.split(/\s+/)
}
