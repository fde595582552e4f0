import { AsyncResource } from 'node:async_hooks'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Clock } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { type Dependencies, override, tokens } from '@minions/core/plugin'
import { defineCollection, type StorageBackend, type StorageTransaction, WriteBatch } from '@minions/core/storage'
import { sqliteStorage } from '@minions/storage-sqlite'
import { Type } from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMinions, routeStorage, storageFromUrl } from '../src/index.js'
import { plugin, ref, rejection } from './support.js'

const note = { title: 'Note', fields: { content: 'x' } }

describe('a storage URL', () => {
  test('of a known scheme is the backend that the application has installed', async () => {
    const folder = scratch()
    const app = await createMinions({ storage: `sqlite:${join(folder, 'a.db')}`, plugins: [] })
    const { id } = await app.create('note', note)
    await app.close()
    const again = await createMinions({ storage: sqliteStorage({ path: join(folder, 'a.db') }) })
    expect(await again.get(id)).toMatchObject(note)
    await again.close()
  })

  test('of an unknown scheme names the known ones', async () => {
    const creating = createMinions({ storage: 'mysql://root:secret@db/x' })
    const error = await rejection(creating, 'UNKNOWN_SCHEME', 'fs:', 'memory:', 'postgres:', 'postgresql:', 'sqlite:')
    expect(error.message).not.toContain('secret')
    await rejection(createMinions({ storage: 'just text' }), 'UNKNOWN_SCHEME', 'sqlite:')
  })

  test.each([
    ['sqlite:./x.db', '@minions/storage-sqlite'],
    ['fs:./data', '@minions/storage-fs'],
    ['postgres://me:secret@db/x', '@minions/storage-postgres'],
    ['postgresql://me:secret@db/x', '@minions/storage-postgres'],
  ])('%s says what to install when the application does not have it', async (url, name) => {
    const creating = createMinions({ storage: url, from: scratch() })
    const error = await rejection(creating, 'STORAGE_NOT_INSTALLED', `npm install ${name}`)
    expect(error.message).not.toContain('secret')
  })

  test('is resolved where the application is, and relative paths begin there', async () => {
    const folder = scratch({
      'node_modules/@minions/storage-fs/package.json': '{"type":"module","exports":{"default":"./index.js"}}',
      'node_modules/@minions/storage-fs/index.js': 'export const storageFromUrl = (url) => ({ url })',
      'src/main.js': '',
    })
    const locations = [folder, pathToFileURL(`${folder}/`), pathToFileURL(join(folder, 'main.js')).href]
    for (const from of locations) {
      expect(await storageFromUrl('fs:./data?x=1', from)).toEqual({ url: `fs:${join(folder, 'data')}?x=1` })
      expect(await storageFromUrl('fs:/data', from)).toEqual({ url: 'fs:/data' })
      await rejection(storageFromUrl('fs://./data', from), 'VALIDATION_FAILED', '"fs:./data"')
    }
    const inside = pathToFileURL(join(folder, 'src/main.js'))
    expect(await storageFromUrl('fs:data', inside)).toEqual({ url: `fs:${join(folder, 'src/data')}` })
  })

  test('says why when the package is there but does not work', async () => {
    const manifest = '{"type":"module","exports":{"default":"./index.js"}}'
    const broken = scratch({
      'node_modules/@minions/storage-fs/package.json': manifest,
      'node_modules/@minions/storage-fs/index.js': 'throw new Error("no disk")',
      'node_modules/@minions/storage-sqlite/package.json': manifest,
      'node_modules/@minions/storage-sqlite/index.js': 'export const old = 1',
    })
    const error = await rejection(storageFromUrl('fs:./x', broken), 'STORAGE_NOT_LOADED', '@minions/storage-fs')
    expect(error.cause).toMatchObject({ message: 'no disk' })
    await rejection(storageFromUrl('sqlite:./x', broken), 'STORAGE_NOT_LOADED', 'does not export storageFromUrl')
  })
})

describe('replacing parts', () => {
  test('a plugin overrides the clock and the ids, also for what opening the store writes', async () => {
    let next = 0
    const fixed = plugin('fixed', {
      overrides: [
        override(tokens.clock, () => () => Date.UTC(2030, 0, 1)),
        override(tokens.ids, (previous) => (next++ === 1 ? previous : () => `id-${next}`)),
      ],
      deps: { clock: tokens.clock },
      setup: ({ clock }: { clock: Clock }) => ({ now: clock }),
    })
    const app = await createMinions({ storage: 'memory:', plugins: [fixed] })
    const minion = await app.create('note', note)
    expect(minion).toMatchObject({ id: 'id-1', createdAt: '2030-01-01T00:00:00.000Z' })
    expect((app as unknown as { fixed: { now(): number } }).fixed.now()).toBe(Date.UTC(2030, 0, 1))
    await app.close()
  })

  test('overrides are applied in start order, each on what the one before left', async () => {
    const later = (name: string, deps: Dependencies) =>
      plugin(name, { deps, overrides: [override(tokens.clock, (previous) => () => Number(previous()) + 1000)] })
    const app = await createMinions({
      storage: 'memory:',
      plugins: [later('b', { a: ref('a') }), later('a', {})],
      clock: () => 0,
    })
    expect((await app.create('note', note)).createdAt).toBe('1970-01-01T00:00:02.000Z')
    await app.close()
  })

  test.each([
    ['memory', () => memoryStorage()],
    ['sqlite', () => sqliteStorage({ path: join(scratch(), 'app.db') })],
  ])('a plugin decorates storage with auditing on %s', async (_, makeStorage) => {
    const written: string[] = []
    const auditing = plugin('auditing', { overrides: [override(tokens.backend, (inner) => audited(inner, written))] })
    const app = await createMinions({ storage: makeStorage(), plugins: [auditing] })
    const { id } = await app.create('note', note)
    await app.hardDelete(id)
    await expect(app.transaction(async (tx) => void (await tx.get(id)))).resolves.toBeUndefined()
    expect(written).toEqual([`put minions ${id}`, `delete minions ${id}`])
    await app.close()
  })
})

/** Passes everything on and notes what is written. */
function audited(inner: StorageBackend, written: string[]): StorageBackend {
  const watch = (tx: StorageTransaction): StorageTransaction => ({
    get: (collection, keys) => tx.get(collection, keys),
    query: (collection, plan) => tx.query(collection, plan),
    count: (collection, selection) => tx.count(collection, selection),
    async put(collection, writes) {
      await tx.put(collection, writes)
      for (const { key } of writes) written.push(`put ${collection} ${key}`)
    },
    async delete(collection, deletes) {
      for (const { key } of deletes) written.push(`delete ${collection} ${key}`)
      return tx.delete(collection, deletes)
    },
  })
  return {
    name: inner.name,
    capabilities: inner.capabilities,
    open: (collections) => inner.open(collections),
    close: () => inner.close(),
    get: (collection, keys) => inner.get(collection, keys),
    query: (collection, plan) => inner.query(collection, plan),
    count: (collection, selection) => inner.count(collection, selection),
    transaction: (work) => inner.transaction((tx) => work(watch(tx))),
    catalogue: () => inner.catalogue(),
  }
}

const logs = defineCollection({
  name: 'logs',
  version: 1,
  schema: Type.Object({ id: Type.String(), text: Type.String() }),
  key: 'id',
  columns: { text: 'string' },
})
const notes = defineCollection({
  name: 'notes',
  version: 1,
  schema: Type.Object({ id: Type.String(), text: Type.String() }),
  key: 'id',
})
const lines = defineCollection({
  name: 'lines',
  version: 1,
  schema: Type.Object({ id: Type.String(), log: Type.String() }),
  key: 'id',
  columns: { log: { type: 'string', required: true } },
  references: [{ columns: ['log'], collection: 'logs' }],
})

describe.each([
  ['memory', () => memoryStorage()],
  ['sqlite', () => sqliteStorage({ path: join(scratch(), 'other.db') })],
])('a collection that a plugin moves to %s', (_, makeOther) => {
  const moving = (other: StorageBackend, ...names: string[]) =>
    plugin('moving', {
      overrides: [
        override(tokens.backend, (main) => routeStorage(main, Object.fromEntries(names.map((name) => [name, other])))),
      ],
    })

  test('lives there, and everything else where it was', async () => {
    const [main, other] = [sqliteStorage({ path: join(scratch(), 'main.db') }), makeOther()]
    const app = await createMinions({
      storage: main,
      plugins: [plugin('logs', { collections: [logs] }), moving(other, 'logs')],
    })
    await app.storage.put(logs, { id: 'a', text: 'hello' })
    const { id } = await app.create('note', note)
    await app.transaction((tx) => tx.storage.put(logs, { id: 'b', text: 'there' }))
    expect(await app.storage.count(logs)).toBe(2)
    expect((await app.storage.find(logs, { where: { text: 'there' } })).items).toEqual([{ id: 'b', text: 'there' }])
    expect((await main.catalogue()).map(({ name }) => name)).not.toContain('logs')
    expect((await other.catalogue()).map(({ name }) => name)).toEqual(['logs'])
    expect(await app.get(id)).toBeDefined()
    expect(await app.problems()).toEqual([])
    let text = ''
    for await (const line of app.exportBundle({ all: true })) text += line
    expect(text).toContain('"there"')
    await app.close()
    await rejection(other.get('logs', ['a']), 'CLOSED')
  })

  test('can be written by a batch, and claimed, but not in one batch with the rest', async () => {
    const app = await createMinions({
      storage: 'memory:',
      plugins: [plugin('logs', { collections: [logs, notes] }), moving(makeOther(), 'logs')],
    })
    const batch = new WriteBatch()
    batch.put(logs, { id: 'a', text: 'there' })
    await app.storage.write(batch)
    const claimed = await app.storage.claim(logs, {}, (log) => ({ ...log, text: 'taken' }))
    expect(claimed.map(({ record }) => record)).toEqual([{ id: 'a', text: 'taken' }])
    const both = new WriteBatch()
    both.put(logs, { id: 'b', text: 'never' })
    both.put(notes, { id: 'b', text: 'never' })
    await rejection(app.storage.write(both), 'TRANSACTION_SPANS_BACKENDS', '"notes"')
    expect(await app.storage.count(logs)).toBe(1)
    await app.close()
  })

  test('cannot share a transaction with the rest, not even by looking', async () => {
    const app = await createMinions({
      storage: 'memory:',
      plugins: [plugin('logs', { collections: [logs] }), moving(makeOther(), 'logs')],
    })
    const both = (swallow: boolean) =>
      app.transaction(async (tx) => {
        await tx.create('note', note)
        const looking = tx.storage.get(logs, 'a')
        await (swallow ? looking.catch(() => undefined) : looking)
      })
    await rejection(both(false), 'TRANSACTION_SPANS_BACKENDS', '"logs"')
    await rejection(both(true), 'TRANSACTION_SPANS_BACKENDS', '"logs"')
    const beside = AsyncResource.bind(() => app.storage.transaction(async () => undefined))
    const turned = app.storage.transaction(async (tx) => {
      await tx.put(logs, { id: 'a', text: 'x' })
      await beside()
      await tx.count(lines).catch(() => undefined)
    })
    await rejection(turned, 'TRANSACTION_SPANS_BACKENDS', '"lines"')
    expect(await app.count()).toBe(0)
    expect(await app.storage.count(logs)).toBe(0)
    await expect(app.transaction(async () => 'nothing touched')).resolves.toBe('nothing touched')
    await expect(app.transaction(async () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
    await app.close()
  })

  test('must neither reference nor be referenced, be declared, and not be the client’s own', async () => {
    const refused = (name: string, ...named: string[]) => {
      const main = Object.assign(memoryStorage(), { open: () => expect.fail('it was opened') })
      const plugins = [plugin('logs', { collections: [logs, lines] }), moving(makeOther(), name)]
      return rejection(createMinions({ storage: main, plugins }), 'COLLECTION_NOT_MOVABLE', `"${name}"`, ...named)
    }
    await refused('logs', '"lines" references it')
    await refused('lines', 'references "logs"')
    await refused('minions', 'client')
    await refused('type_slugs', 'client')
    await refused('misspelt', 'no plugin declares it')
  })

  test('must have left nothing behind', async () => {
    const path = join(scratch(), 'main.db')
    const before = await createMinions({ storage: sqliteStorage({ path }), collections: [logs] })
    await before.storage.put(logs, { id: 'a', text: 'old' })
    await before.close()
    const moved = () =>
      createMinions({ storage: sqliteStorage({ path }), collections: [logs], plugins: [moving(makeOther(), 'logs')] })
    await rejection(moved(), 'COLLECTION_NOT_MOVABLE', 'still has records')
    const between = await createMinions({ storage: sqliteStorage({ path }), collections: [logs] })
    await between.storage.delete(logs, 'a')
    await between.close()
    await (await moved()).close()
  })
})

test('work that a backend runs again runs again in the same backend', async () => {
  const other = memoryStorage()
  const transaction = other.transaction.bind(other)
  let runs = 0
  other.transaction = async (work) => {
    await transaction((tx) => work(tx).then(() => Promise.reject(new Error('collision')))).catch(() => undefined)
    return transaction(work)
  }
  const storage = routeStorage(memoryStorage(), { logs: other })
  const app = await createMinions({ storage, collections: [logs] })
  const result = await app.storage.transaction(async (tx) => {
    runs += 1
    await tx.put(logs, { id: `run ${runs}`, text: 'x' })
    return runs
  })
  expect(result).toBe(2)
  expect((await app.storage.find(logs)).items).toEqual([{ id: 'run 2', text: 'x' }])
  await app.close()
})

test('a backend that cannot begin a transaction rejects what asked for it', async () => {
  const other = memoryStorage()
  other.transaction = () => Promise.reject(new Error('busy'))
  const app = await createMinions({ storage: routeStorage(memoryStorage(), { logs: other }), collections: [logs] })
  await expect(app.storage.transaction((tx) => tx.put(logs, { id: 'a', text: 'x' }))).rejects.toThrow('busy')
  await app.close()
})

function scratch(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'minions-host-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}
