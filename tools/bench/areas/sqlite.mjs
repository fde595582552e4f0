// @ts-check
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foldText, Minions, thoughtType, words } from '@minions/core'
import { sqliteStorage } from '@minions/storage-sqlite'
import Database from 'better-sqlite3'
import { clientWith, thoughtRecords, thoughts } from '../data.mjs'

/** @import { Bench } from '../area.mjs' */

const SIZE = 100_000
const page = { type: 'thought', status: /** @type {const} */ ('todo'), limit: 50 }

/** @param {Bench} bench */
export default async function (bench) {
  const folder = mkdtempSync(join(tmpdir(), 'minions-bench-'))
  try {
    await writes(bench, folder)
    await reads(bench, folder)
    await traversal(bench, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {Bench} bench @param {string} folder */
async function writes(bench, folder) {
  const minions = await Minions.open({ storage: sqliteStorage({ path: join(folder, 'writes.db') }) })
  minions.on('minion.created', () => {})
  const raw = rawStore(join(folder, 'raw-writes.db'))
  const inputs = thoughts(10_000)
  const records = thoughtRecords(10_000)
  const renewed = (/** @type {import('@minions/core').Minion} */ record) => ({ ...record, id: randomUUID() })
  await bench.compare({
    name: 'createMany of 10,000',
    ours: () => minions.createMany(thoughtType, inputs),
    peer: () => raw.insertMany(records.map(renewed)),
    peerName: 'better-sqlite3, one transaction, same tables',
    bar: 0.6,
    rounds: 5,
  })
  const [input] = inputs
  if (!input) throw new Error('there are inputs')
  await bench.compare({
    name: 'durable create',
    ours: () => minions.create(thoughtType, input),
    peer: () => raw.insertMany(records.slice(0, 1).map(renewed)),
    peerName: 'better-sqlite3, synchronous=FULL',
    bar: 0.7,
  })
  await minions.close()
  raw.close()
}

/** @param {Bench} bench @param {string} folder */
async function reads(bench, folder) {
  const path = join(folder, 'reads.db')
  const minions = await clientWith(sqliteStorage({ path, synchronous: 'off' }), SIZE)
  const raw = rawStore(join(folder, 'raw-reads.db'))
  const records = thoughtRecords(SIZE)
  raw.insertMany(records)
  const { items } = await minions.find({ limit: 1000 })
  let next = 0
  const id = () => items[next++ % 1000]?.id ?? ''
  const rawId = () => records[next++ % 1000]?.id ?? ''
  await bench.compare({
    name: 'get by id',
    ours: () => minions.get(id()),
    peer: () => raw.get(rawId()),
    peerName: 'better-sqlite3 and JSON.parse',
    bar: 0.6,
  })
  await bench.compare({
    name: 'filtered, ordered page of 50 from 100,000',
    ours: () => minions.find(page),
    peer: () => raw.page(),
    peerName: 'better-sqlite3 and JSON.parse',
    bar: 0.7,
  })
  await bench.compare({
    name: 'two-word search in 100,000',
    ours: () => minions.search('rare77 batch77', { limit: 50 }),
    peer: () => raw.search('"rare77"* AND "batch77"*'),
    peerName: 'FTS5 and JSON.parse',
    bar: 0.7,
  })
  raw.close()
  const small = await clientWith(sqliteStorage({ path: join(folder, 'small.db'), synchronous: 'off' }), 10_000)
  const { items: smallItems } = await small.find({ limit: 1000 })
  const sizes = [10_000, SIZE]
  /** @param {(client: Minions, size: number) => unknown} ask @returns {(size: number) => () => unknown} */
  const asking = (ask) => (size) => () => ask(size === SIZE ? minions : small, size)
  await bench.growth({
    name: 'get by id, growth',
    sizes,
    bar: 2,
    setup: asking((client, size) => client.get((size === SIZE ? items : smallItems)[next++ % 1000]?.id ?? '')),
  })
  await bench.growth({ name: 'page of 50, growth', sizes, bar: 2, setup: asking((client) => client.find(page)) })
  await bench.growth({
    name: 'selective search, growth',
    sizes,
    bar: 2,
    setup: asking((client, size) => client.search(`number${size - 7} batch${(size - 7) % 1000}`)),
  })
  await minions.close()
  await small.close()
}

/** @param {Bench} bench @param {string} folder */
async function traversal(bench, folder) {
  const backend = sqliteStorage({ path: join(folder, 'tree.db'), synchronous: 'off' })
  const minions = await Minions.open({ storage: backend, transactionTimeout: 120_000 })
  const nodes = await minions.createMany(thoughtType, thoughts(10_000))
  const root = nodes[0]?.id ?? ''
  await minions.transaction(async (tx) => {
    for (let index = 1; index < nodes.length; index++) {
      const parent = nodes[Math.floor((index - 1) / 10)]?.id ?? ''
      await tx.link({ sourceId: parent, targetId: nodes[index]?.id ?? '', type: 'parent_of' })
    }
  })
  let questions = 0
  const { get, query } = backend
  /** @param {(...args: any[]) => unknown} ask */
  const counted =
    (ask) =>
    (/** @type {unknown[]} */ ...args) => {
      questions += 1
      return ask.apply(backend, args)
    }
  Object.assign(backend, {
    get: counted(get),
    query: counted(query),
  })
  const found = await minions.descendants(root)
  if (found.length !== 9_999) throw new Error(`${found.length} descendants instead of 9,999`)
  bench.value({
    name: 'questions for the descendants of a tree of 10,000, 5 levels deep',
    value: questions,
    unit: 'questions',
    bar: 12,
  })
  await minions.close()
}

/**
 * The same tables and indexes, written and read without Minions.
 * @param {string} path
 */
function rawStore(path) {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(`
    CREATE TABLE m (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, revision TEXT NOT NULL, doc TEXT NOT NULL,
      type TEXT NOT NULL, status TEXT, created TEXT NOT NULL, updated TEXT NOT NULL, deleted TEXT);
    CREATE INDEX m1 ON m (deleted, created, key);
    CREATE INDEX m2 ON m (type, deleted, created, key);
    CREATE INDEX m3 ON m (type, deleted, status, created, key);
    CREATE INDEX m4 ON m (updated, key);
    CREATE INDEX m5 ON m (created, key);
    CREATE TABLE tags (element TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (element, record)) WITHOUT ROWID;
    CREATE INDEX tags_record ON tags (record);
    CREATE VIRTUAL TABLE t USING fts5(words, content='', contentless_delete=1, tokenize='ascii', detail='none');`)
  const insert = database.prepare(
    'INSERT INTO m (key, revision, doc, type, status, created, updated, deleted) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const tag = database.prepare('INSERT INTO tags (element, record) VALUES (?, ?)')
  const text = database.prepare('INSERT INTO t (rowid, words) VALUES (?, ?)')
  const byKey = database.prepare('SELECT doc FROM m WHERE key = ?').pluck()
  const pageOf = database
    .prepare('SELECT doc FROM m WHERE type = ? AND deleted IS NULL AND status = ? ORDER BY created, key LIMIT 51')
    .pluck()
  const searchFor = database
    .prepare(
      'SELECT doc FROM t JOIN m ON m.id = t.rowid WHERE t MATCH ? AND m.deleted IS NULL ORDER BY m.created, m.key LIMIT 51',
    )
    .pluck()
  const parse = (/** @type {unknown} */ doc) => JSON.parse(String(doc))
  let revision = 0
  return {
    insertMany: database.transaction((/** @type {import('@minions/core').Minion[]} */ records) => {
      for (const record of records) {
        const { id, minionTypeId, status, createdAt, updatedAt, tags = [] } = record
        const { lastInsertRowid } = insert.run(
          id,
          `r${revision++}`,
          JSON.stringify(record),
          minionTypeId,
          status,
          createdAt,
          updatedAt,
          null,
        )
        for (const element of tags) tag.run(element, lastInsertRowid)
        text.run(lastInsertRowid, words(foldText(record.searchableText ?? '')).join(' '))
      }
    }),
    get: (/** @type {string} */ key) => parse(byKey.get(key)),
    page: () => pageOf.all('builtin-thought', 'todo').map(parse),
    search: (/** @type {string} */ query) => searchFor.all(query).map(parse),
    close: () => database.close(),
  }
}
