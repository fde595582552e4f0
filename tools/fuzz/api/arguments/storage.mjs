// @ts-check
import { join } from 'node:path'
import { memoryStorage } from '@minions/core/memory'
import { defineCollection, minionsCollection, Store, WriteBatch } from '@minions/core/storage'
import { Type } from 'typebox'

/** @import { Arguments } from '../targets.mjs' */

const definition = () => ({
  name: 'ships',
  version: 1,
  schema: Type.Object({ id: Type.String(), tons: Type.Optional(Type.Number()), at: Type.Optional(Type.String()) }),
  key: 'id',
  columns: {
    tons: { type: /** @type {const} */ ('number'), path: 'tons', required: false, indexed: true },
    at: /** @type {const} */ ('string'),
  },
  indexes: [['tons']],
  unique: [],
  references: [],
  createdAt: 'at',
  upgrades: {},
  derive: (/** @type {any} */ record) => record,
})
export const ships = defineCollection(definition())
export const ship = (id = 'vasa') => ({ id, tons: 1200 })

/** A store of ships, for each call a new one. */
export async function openStore() {
  return Store.open(memoryStorage(), [ships], { transactionTimeout: 5000 })
}

const declaration = () => ships.declaration
const query = () => ({ where: { tons: { gt: 1 } }, orderBy: [{ field: 'tons', direction: 'asc' }], limit: 5 })
const changes = () => ({ since: 'now', collections: ['ships'], limit: 5 })
const row = () => ({ number: 1, collection: 'ships', at: 0, entries: [['vasa', 'r1']] })
const write = () => ships.toWrite(ship(), 'r1')
const url = 'sqlite:./ships.db'
const plan = () => ({ words: [], order: [], keyDirection: 'asc', limit: 5 })
const retention = { keepFor: 1000, keepAtMost: 10 }

/** @type {Record<string, Arguments>} */
const storeArguments = {
  transaction: () => [async () => 1, { timeout: 5000 }],
  put: () => [ships, ship(), { ifAbsent: true }],
  putMany: () => [ships, [ship()], { ifAbsent: true }],
  delete: () => [ships, 'vasa'],
  deleteMany: () => [ships, ['vasa']],
  get: () => [ships, 'vasa'],
  getRevised: () => [ships, 'vasa'],
  getMany: () => [ships, ['vasa']],
  find: () => [ships, query()],
  findRevised: () => [ships, query()],
  count: () => [ships, { where: { tons: 1 } }],
  iterate: () => [ships, query()],
  changes: () => [changes()],
  changePages: () => [changes()],
  listChanges: () => [{ ...changes(), since: 'now' }],
  write: () => {
    const batch = new WriteBatch()
    batch.put(ships, ship())
    return [batch]
  },
  claim: () => [ships, { ...query(), limit: 1 }, (/** @type {unknown} */ record) => record],
}
const onStore = (/** @type {string} */ prefix) =>
  Object.fromEntries(Object.entries(storeArguments).map(([name, args]) => [`${prefix}${name}`, args]))

/** The storage port, memory and the backends. @type {Record<string, Arguments>} */
export const storageArguments = {
  'core/storage.defineCollection': () => [definition()],
  'core/storage.collectionFromDeclaration': () => [declaration()],
  'core/storage.columnIndex': () => [declaration(), 'tons'],
  'core/storage.changesExpired': () => ['removed', new Error('a')],
  'core/storage.keptColumns': () => [declaration()],
  'core/storage.removedColumns': () => [declaration(), [1200]],
  'core/storage.foldText': () => ['Vasa'],
  'core/storage.words': () => ['Vasa sank'],
  'core/storage.formatPath': () => [['a', 'b']],
  'core/storage.parsePath': () => ['a.b'],
  'core/storage.valueAt': () => [{ a: { b: 1 } }, ['a', 'b']],
  'core/storage.hidePassword': () => ['postgres://ada:secret@host/db'],
  'core/storage.indexedLists': () => [declaration()],
  'core/storage.orderedIndexes': () => [declaration()],
  'core/storage.sqlName': () => ['ships'],
  'core/storage.sqlNames': () => [declaration()],
  'core/storage.sqlPart': () => ['ships', 'tons'],
  'core/storage.parseStorageUrl': () => [url],
  'core/storage.resolveStorageUrl': () => [url, '/tmp'],
  'core/storage.takeStorageUrl': () => ['sqlite:./ships.db?busy=5', ['sqlite'], ['busy']],
  'core/storage.planUpgrade': () => [ships, declaration()],
  'core/storage.readChanges': () => [
    { base: 0, newest: () => row(), from: () => [row()] },
    { since: 'start', collections: ['ships'], limit: 5 },
  ],
  'core/storage.toChange': () => [row(), 0, '1'],
  'core/storage.searchableText': async (world) => [await world.task(), []],
  'core/storage.writeConflict': () => ['ships', 'vasa', 'r1', 'r2'],
  'core/storage.Store.open': () => [memoryStorage(), [ships], { transactionTimeout: 5000 }],
  ...onStore('core/storage.Store#'),
  ...onStore('injectFaults().'),
  'core/storage.WriteBatch#put': () => [ships, ship(), { ifAbsent: true }],
  'core/storage.WriteBatch#delete': () => [ships, 'vasa', { ifRevision: 'r1' }],
  'core/storage.WriteBatch#check': () => [ships, 'vasa', { ifRevision: 'r1' }],
  'core/storage.StorageSchemes#register': () => ['acme', () => memoryStorage()],
  'core/storage.StorageSchemes#resolve': () => ['memory:'],
  'core/storage.Collection#keyOf': () => [ship()],
  'core/storage.Collection#keyParts': () => [ship()],
  'core/storage.Collection#keyOfStored': () => [ship()],
  'core/storage.Collection#encodeKey': () => ['vasa'],
  'core/storage.Collection#decodeKey': () => [ships.encodeKey('vasa')],
  'core/storage.Collection#toWrite': () => [ship(), 'r1', null],
  'core/storage.Collection#fromStored': () => [ship(), 'r1'],
  'core/storage.Collection#upgrade': () => [ship(), 1],
  'core/storage.Collection#derive': () => [ship()],
  'new core/storage.Collection': () => [declaration()],
  'new core/storage.Retention': () => ['Memory', retention, 10],
  'core/storage.Retention#isDue': () => [1, 2],
  'core/storage.Retention#removable': () => [[{ number: 1, at: 0 }], 5, 2],
  'new core/storage.ChangeWatchers': () => [{ poll: () => false, every: 50_000 }],
  'core/storage.ChangeWatchers#add': () => [() => undefined],
  'core/storage.ChangeNotes#put': () => ['ships', 'vasa', 'r1', true],
  'core/storage.ChangeNotes#delete': () => ['ships', 'vasa', 'r1', [1]],
  'core/storage.Collection#naming': () => ['vasa'],
  'new core/storage.RunAgain': () => [new Error('a')],
  'core/storage.invalidPosition': () => ['1'],
  'core/storage.isStore': async () => [await openStore()],
  'core/storage.writeInTransaction': async () => [await openStore(), new WriteBatch()],
  'core/memory.memoryStorage': () => [{ changes: retention }],
  'core/memory.matcher': () => [{ words: [], where: { op: 'isNull', operand: { path: ['a'] } } }],
  'core/memory.rowOrder': () => [plan()],
  'core/memory.isBehind': () => [{ ...plan(), after: { values: [], key: 'a' } }],
  'core/memory.MemoryEngine#declare': () => [[minionsCollection]],
  'core/memory.MemoryEngine#get': () => ['ships', ['vasa']],
  'core/memory.MemoryEngine#query': () => ['ships', plan()],
  'core/memory.MemoryEngine#count': () => ['ships', { words: [] }],
  'core/memory.MemoryEngine#row': () => ['ships', 'vasa'],
  'core/memory.MemoryEngine#rows': () => ['ships'],
  'core/memory.MemoryEngine#insert': () => ['ships', write(), { dryRun: true }],
  'core/memory.MemoryEngine#remove': () => ['ships', 'vasa'],
  'core/memory.MemoryEngine#referrers': () => ['ships', 'vasa'],
  'storage-fs.fsStorage': (world) => [
    { root: world.path(), format: 'json', busyTimeout: 5, detect: 'watch', changes: retention },
  ],
  'storage-fs.foreignFormat': (world) => [world.path()],
  'storage-fs.storageFromUrl': (world) => [`fs:${world.path()}`],
  'storage-sqlite.sqliteStorage': (world) => [
    { path: world.path(), synchronous: 'normal', busyTimeout: 5, changes: retention },
  ],
  'storage-sqlite.storageFromUrl': (world) => [`sqlite:${world.path()}`],
  'storage-sqlite.backupSqlite': (world) => [
    { from: world.path(), to: join(world.folder, 'copy.db'), onProgress() {} },
  ],
  'storage-postgres.postgresStorage': () => [
    {
      connectionString: 'postgres://127.0.0.1:1/none',
      schema: 'ships',
      poolSize: 1,
      connectionTimeout: 5,
      ssl: false,
      preparedStatements: true,
      retries: 1,
      changes: retention,
    },
  ],
  'storage-postgres.storageFromUrl': () => ['postgres://127.0.0.1:1/none'],
  'storage-testkit.decorate': () => [memoryStorage(), { name: 'other' }],
  'storage-testkit.failing': () => [memoryStorage(), () => false],
  'storage-testkit.rerunning': () => [memoryStorage()],
  'storage-testkit.runCase': () => [
    { group: 'a', name: 'b', run: async () => undefined },
    { name: 'memory', create: async () => ({ backend: memoryStorage(), dispose: async () => undefined }) },
  ],
}
