// @ts-check
import { createHook } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Minions } from '@minions/core'
import { foldText, words } from '@minions/core/storage'
import { thoughtType } from '@minions/core/types'
import { sqliteStorage } from '@minions/storage-sqlite'
import Database from 'better-sqlite3'
import { benchCreateAtOnce, CALLERS } from '../create-at-once.mjs'
import { clientWith, inTurn, thoughtRecords, thoughts } from '../data.mjs'
import { growthOfReads } from '../growth-of-reads.mjs'

/** @import { Bench } from '../area.mjs' */

const SIZE = 100_000
/** A round is long enough to even out the hiccups of a disk. */
const DISK_ROUNDS = 31
const page = (/** @type {'todo' | 'active'} */ status) => ({ type: 'thought', status, limit: 50 })

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
    from: 'the driver itself',
    rounds: 5,
  })
  const nextInput = inTurn(inputs)
  const nextRecord = inTurn(records)
  const insertOne = () => raw.insertMany([renewed(nextRecord())])
  await bench.compare({
    name: 'durable create',
    ours: () => minions.create(thoughtType, nextInput()),
    peer: insertOne,
    peerName: 'better-sqlite3, synchronous=FULL',
    bar: 0.7,
    from: 'the driver itself',
    rounds: DISK_ROUNDS,
  })
  await benchCreateAtOnce(bench, {
    create: () => minions.create(thoughtType, nextInput()),
    commitOne: insertOne,
    peerName: 'better-sqlite3, a commit for each',
    rounds: DISK_ROUNDS,
  })
  const { items } = await minions.find({ limit: CALLERS })
  let title = 0
  const update = (/** @type {import('@minions/core').Minion} */ { id }) => minions.update(id, { title: `T${title++}` })
  await bench.compare({
    name: `${CALLERS} callers update durably at once, against one after another`,
    ours: () => Promise.all(items.map(update)),
    peer: async () => {
      for (const item of items) await update(item)
    },
    peerName: 'the same client',
    bar: 5,
    from: 'one flush for all instead of one for each; an update also reads',
    rounds: DISK_ROUNDS,
  })
  bench.value({
    name: 'promises of a create',
    value: await promisesOf(() => minions.create(thoughtType, nextInput())),
    unit: 'promises',
    bar: 12,
    from: 'a limit: promises are most of the garbage of a create',
  })
  await minions.close()
  raw.close()
}

/** How many promises a call makes. @param {() => Promise<unknown>} call */
async function promisesOf(call) {
  await call()
  let promises = 0
  const hook = createHook({
    init(_, type) {
      if (type === 'PROMISE') promises += 1
    },
  })
  hook.enable()
  await call()
  hook.disable()
  return promises
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
  const status = inTurn(/** @type {const} */ (['todo', 'active']))
  const rare = () => (next = (next + 7919) % 1000)
  await bench.compare({
    cpu: true,
    name: 'get by id',
    ours: () => minions.get(id()),
    peer: () => raw.get(rawId()),
    peerName: 'better-sqlite3 and JSON.parse',
    bar: 0.6,
    from: 'the driver itself',
  })
  await bench.compare({
    cpu: true,
    name: 'filtered, ordered page of 50 from 100,000',
    ours: () => minions.find(page(status())),
    peer: () => raw.page(status()),
    peerName: 'better-sqlite3 and JSON.parse',
    bar: 0.7,
    from: 'the driver itself',
  })
  await bench.compare({
    cpu: true,
    name: 'two-word search in 100,000',
    ours: () => minions.search(`rare${rare()} batch${next}`, { limit: 50 }),
    peer: () => raw.search(`"rare${rare()}"* AND "batch${next}"*`),
    peerName: 'FTS5 and JSON.parse',
    bar: 0.7,
    from: 'the driver itself',
  })
  raw.close()
  const small = await clientWith(sqliteStorage({ path: join(folder, 'small.db'), synchronous: 'off' }), 10_000)
  const { items: smallItems } = await small.find({ limit: 1000 })
  await growthOfReads(bench, {
    small,
    large: minions,
    cpu: true,
    reads: {
      'get by id': (client, size) => client.get((size === SIZE ? items : smallItems)[next++ % 1000]?.id ?? ''),
      'page of 50': (client) => client.find(page(status())),
      'selective search': (client, size) =>
        client.search(`number${size - 7 - rare()} batch${(size - 7 - next) % 1000}`),
    },
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
  let queries = 0
  const { get, query } = backend
  /** @param {(...args: any[]) => unknown} ask */
  const counted =
    (ask) =>
    (/** @type {unknown[]} */ ...args) => {
      queries += 1
      return ask.apply(backend, args)
    }
  Object.assign(backend, {
    get: counted(get),
    query: counted(query),
  })
  const found = await minions.descendants(root)
  if (found.length !== 9_999) throw new Error(`${found.length} descendants instead of 9,999`)
  bench.value({
    name: 'queries for the descendants of a tree of 10,000, 5 levels deep',
    value: queries,
    unit: 'queries',
    bar: 12,
    from: 'two for each level, and two',
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
    page: (/** @type {string} */ status) => pageOf.all('builtin-thought', status).map(parse),
    search: (/** @type {string} */ query) => searchFor.all(query).map(parse),
    close: () => database.close(),
  }
}
