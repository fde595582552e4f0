import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MinionsError } from '@minions/core'
import { defineCollection, type StorageBackend, Store, WriteBatch } from '@minions/core/storage'
import Database from 'better-sqlite3'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Connection } from '../src/connection.js'
import { sqliteStorage } from '../src/index.js'
import { tableOf } from '../src/names.js'

const cards = defineCollection({
  name: 'cards',
  version: 1,
  schema: Type.Object({
    id: Type.String(),
    code: Type.Optional(Type.String()),
    labels: Type.Optional(Type.Array(Type.String())),
  }),
  key: 'id',
  columns: { code: { type: 'string', unique: true }, labels: { type: 'strings', indexed: true } },
})

/** Refers to a collection that is declared by somebody else. */
const notes = defineCollection({
  name: 'notes',
  version: 1,
  schema: Type.Object({ id: Type.String(), card: Type.Optional(Type.String()) }),
  key: 'id',
  columns: { card: 'string' },
  references: [{ columns: ['card'], collection: 'cards' }],
})

const boxes = defineCollection({
  name: 'boxes',
  version: 1,
  schema: Type.Object({ id: Type.String() }),
  key: 'id',
})

let path: string
let backend: StorageBackend
let store: Store
let writer: Connection
let runs: Record<string, number>

beforeEach(async () => {
  path = join(mkdtempSync(join(tmpdir(), 'minions-sqlite-')), 'store.db')
  const opened = vi.spyOn(Connection, 'open')
  backend = sqliteStorage({ path, synchronous: 'off', busyTimeout: 20_000 })
  store = await Store.open(backend, [cards])
  writer = await opened.mock.results[0]?.value
  runs = {}
  // A group ends after a while, which a busy machine may take in the middle of one.
  vi.spyOn(performance, 'now').mockReturnValue(0)
})

afterEach(async () => {
  vi.restoreAllMocks()
  await store.close()
  rmSync(join(path, '..'), { recursive: true, force: true })
})

/** What some work has the writing connection do about transactions. */
async function controls(work: () => Promise<unknown>): Promise<string[]> {
  const run = vi.spyOn(writer, 'run')
  await work()
  const seen = run.mock.calls
    .map(([sql]) => sql)
    .filter((sql) => /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/.test(sql))
  run.mockRestore()
  return seen
}

/** A transaction that writes a card and counts how often it was run. */
const create = (id: string, more: { code?: string; labels?: string[] } = {}) =>
  store.transaction(async (tx) => {
    runs[id] = (runs[id] ?? 0) + 1
    await tx.put(cards, { id, ...more })
  })

/** The same, and then it fails. */
const failing = (id: string) =>
  store.transaction(async (tx) => {
    runs[id] = (runs[id] ?? 0) + 1
    await tx.put(cards, { id })
    throw new MinionsError('MINE', id)
  })

const ids = async () => (await store.find(cards)).items.map(({ id }) => id)

describe('of transactions that share a commit', () => {
  it('one that fails after it has written takes the others back with it, and they are run again', async () => {
    const seen = await controls(() => Promise.allSettled([create('a'), failing('bad'), create('b')]))
    expect(seen).toEqual([
      'BEGIN IMMEDIATE',
      'ROLLBACK',
      'BEGIN IMMEDIATE',
      'SAVEPOINT member',
      'RELEASE member',
      'SAVEPOINT member',
      'RELEASE member',
      'COMMIT',
    ])
    expect(runs).toEqual({ a: 2, bad: 1, b: 1 })
    expect(await ids()).toEqual(['a', 'b'])
  })

  it('each has a savepoint for a while after that, so that one that fails is undone alone', async () => {
    await Promise.allSettled([create('a'), failing('bad'), create('b')])
    runs = {}
    const seen = await controls(() => Promise.allSettled([create('c'), failing('bad'), create('d')]))
    expect(seen).toEqual([
      'BEGIN IMMEDIATE',
      'SAVEPOINT member',
      'RELEASE member',
      'SAVEPOINT member',
      'ROLLBACK TO member',
      'RELEASE member',
      'SAVEPOINT member',
      'RELEASE member',
      'COMMIT',
    ])
    expect(runs).toEqual({ c: 1, bad: 1, d: 1 })
    expect(await ids()).toEqual(['a', 'b', 'c', 'd'])
    const later = await controls(async () => {
      for (let round = 0; round < 10; round++) {
        await Promise.all(Array.from({ length: 40 }, (_, index) => create(`r${round}/${index}`)))
      }
    })
    const savepoints = later.filter((sql) => sql === 'SAVEPOINT member').length
    expect(savepoints).toBeGreaterThan(100)
    expect(savepoints).toBeLessThan(250)
    expect(later.filter((sql) => sql === 'RELEASE member')).toHaveLength(savepoints)
  })

  it('one whose record was refused before it has written anything disturbs no other', async () => {
    await store.put(cards, { id: 'first', code: 'taken' })
    const seen = await controls(() =>
      Promise.allSettled([create('a'), create('refused', { code: 'taken' }), create('b')]),
    )
    expect(seen).toEqual(['BEGIN IMMEDIATE', 'COMMIT'])
    expect(runs).toEqual({ a: 1, refused: 1, b: 1 })
    expect(await ids()).toEqual(['a', 'b', 'first'])
  })

  it.each([
    ['leaves nothing of it', 'ABORT'],
    ['takes nothing else with it where SQLite rolls back everything', 'ROLLBACK'],
  ])('one that fails half-way through a record %s, with savepoints and without', async (_, action) => {
    const database = new Database(path)
    const lists = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%element%'"
    // A fault of the file itself, behind the row of the record and before the end of its lists.
    database.exec(`CREATE TRIGGER broken BEFORE INSERT ON "${database.prepare(lists).pluck().get()}"
      WHEN NEW.element = 'bad' BEGIN SELECT RAISE(${action}, 'broken'); END`)
    database.close()
    for (const round of [1, 2]) {
      const outcomes = await Promise.allSettled([
        create(`a${round}`, { labels: ['good'] }),
        create('bad', { labels: ['good', 'bad'] }),
        create(`b${round}`, { labels: ['good'] }),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await ids()).not.toContain('bad')
      expect(await store.count(cards, { where: { labels: { contains: 'good' } } })).toBe(2 * round)
    }
  })

  it('each may leave a reference empty whose collection is not there yet', async () => {
    const early = await Store.open(sqliteStorage({ path: ':memory:' }), [notes])
    await Promise.all([early.put(notes, { id: 'a' }), early.put(notes, { id: 'b' })])
    expect(await early.count(notes)).toBe(2)
    await early.close()
  })

  it('each refers to what is there before it, not to what a later one creates or removes', async () => {
    await Store.open(backend, [notes])
    const outcomes = async (...work: Promise<unknown>[]) =>
      (await Promise.allSettled(work)).map((outcome) => ('reason' in outcome ? outcome.reason.code : outcome.status))
    const note = (id: string, card: string) => store.transaction((tx) => tx.put(notes, { id, card }))
    expect(await outcomes(note('n', 'x'), create('x'))).toEqual(['REFERENCE_VIOLATION', 'fulfilled'])
    expect(await outcomes(create('y'), note('n', 'y'))).toEqual(['fulfilled', 'fulfilled'])
    expect(await outcomes(store.delete(cards, 'y'), store.delete(notes, 'n'))).toEqual([
      'REFERENCE_VIOLATION',
      'fulfilled',
    ])
    expect(await outcomes(store.delete(cards, 'y'), create('z'))).toEqual(['fulfilled', 'fulfilled'])
    expect(await ids()).toEqual(['x', 'z'])
  })

  it('each may remove a record that has the key of another which is referred to', async () => {
    await Store.open(backend, [notes, boxes])
    await create('same')
    await Promise.all([store.put(boxes, { id: 'same' }), store.put(notes, { id: 'n', card: 'same' })])
    await Promise.all([store.delete(boxes, 'same'), create('other')])
    expect(await store.count(boxes)).toBe(0)
    expect(await ids()).toEqual(['other', 'same'])
  })

  it('each is in the change feed, also one that only removes a record', async () => {
    await Promise.all([create('a'), create('b')])
    const { cursor: since } = await store.listChanges()
    const batch = new WriteBatch()
    batch.delete(cards, 'a')
    await Promise.all([store.write(batch), store.delete(cards, 'b'), create('c')])
    expect(await ids()).toEqual(['c'])
    const { items } = await store.listChanges({ since })
    expect(items.map(({ key, kind }) => `${kind} ${key}`)).toEqual(['delete a', 'delete b', 'put c'])
  })

  it('each is heard of by those who watch, once it is committed', async () => {
    const wake = vi.fn()
    const stop = backend.watchChanges?.(wake)
    await Promise.all([create('a'), create('b')])
    expect(wake).toHaveBeenCalled()
    stop?.()
  })
})

describe('a transaction by itself', () => {
  it('needs no savepoint, and none follow when it fails', async () => {
    const seen = await controls(async () => {
      await create('a')
      await expect(failing('bad')).rejects.toMatchObject({ code: 'MINE' })
      await Promise.all([create('b'), create('c')])
    })
    expect(seen).toEqual(['BEGIN IMMEDIATE', 'COMMIT', 'BEGIN IMMEDIATE', 'ROLLBACK', 'BEGIN IMMEDIATE', 'COMMIT'])
    expect(await ids()).toEqual(['a', 'b', 'c'])
  })

  it('waits for the lock of another process and is then a transaction like any other', async () => {
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    const run = vi.spyOn(writer, 'run')
    const attempts = () => run.mock.calls.filter(([sql]) => sql === 'BEGIN IMMEDIATE').length
    const waiting = create('late')
    await vi.waitFor(() => expect(attempts()).toBeGreaterThan(2), { timeout: 20_000 })
    expect(runs).toEqual({})
    other.exec('ROLLBACK')
    other.close()
    await waiting
    expect(run.mock.calls.map(([sql]) => sql)).toContain('COMMIT')
    expect(runs).toEqual({ late: 1 })
    expect(await ids()).toEqual(['late'])
  })

  it('trusts no revision that it knew before it waited for another process', async () => {
    await Store.open(backend, [notes])
    const revision = await store.put(cards, { id: 'a' })
    const noteOn = (id: string) => {
      const batch = new WriteBatch()
      batch.check(cards, 'a', { ifRevision: revision })
      batch.put(notes, { id })
      return store.write(batch)
    }
    await noteOn('first')
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    const run = vi.spyOn(writer, 'run')
    const waiting = noteOn('second')
    const refused = expect(waiting).rejects.toMatchObject({ code: 'CONFLICT' })
    await vi.waitFor(() => expect(run.mock.calls.length).toBeGreaterThan(1), { timeout: 20_000 })
    const { sql, revision: column } = tableOf(cards.declaration)
    other.exec(`UPDATE ${sql} SET ${column} = 'another'`)
    other.exec('COMMIT')
    other.close()
    await refused
    expect(await store.count(notes)).toBe(1)
  })

  it('is refused when the file cannot be written for another reason than a lock, and the next goes on', async () => {
    writer.exec('BEGIN')
    await expect(create('a')).rejects.toMatchObject({ code: expect.stringMatching(/^STORAGE_/) })
    expect(runs).toEqual({})
    await create('b')
    expect(await ids()).toEqual(['b'])
  })
})
