// @ts-check
import { randomUUID } from 'node:crypto'
import { Minions } from '@minions/core'
import { foldText, words } from '@minions/core/storage'
import { thoughtType } from '@minions/core/types'
import { postgresStorage } from '@minions/storage-postgres'
import pg from 'pg'
import { clientWith, inTurn, thoughtRecords, thoughts } from '../data.mjs'
import { growthOfReads } from '../growth-of-reads.mjs'

/** @import { Bench } from '../area.mjs' */
/** @import { Minion } from '@minions/core' */

const server = process.env.MINIONS_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const SIZE = 100_000
const page = (/** @type {'todo' | 'active'} */ status) => ({ type: 'thought', status, limit: 50 })

/** Runs in a database of its own on the server. @param {Bench} bench */
export default async function (bench) {
  const admin = new pg.Pool({ connectionString: server, max: 1 })
  const name = `minions_bench_${randomUUID().replaceAll('-', '')}`
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href })
  try {
    await writes(bench, url.href, pool)
    await reads(bench, url.href, pool)
  } finally {
    await pool.end()
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  }
}

/** @param {Bench} bench @param {string} connectionString @param {pg.Pool} pool */
async function writes(bench, connectionString, pool) {
  const minions = await Minions.open({ storage: postgresStorage({ connectionString, schema: 'writes' }) })
  minions.on('minion.created', () => {})
  const raw = await rawStore(pool, 'raw_writes')
  const renewed = (/** @type {Minion} */ record) => ({ ...record, id: randomUUID() })
  for (const size of [1000, 10_000]) {
    const inputs = thoughts(size)
    const records = thoughtRecords(size)
    await bench.compare({
      name: `createMany of ${size.toLocaleString('en')}`,
      ours: () => minions.createMany(thoughtType, inputs),
      peer: () => raw.insertMany(records.map(renewed)),
      peerName: 'pg, multi-row INSERT, one transaction, same indexes',
      bar: 0.6,
      from: 'the driver itself',
      rounds: 7,
    })
  }
  const input = inTurn(thoughts(1000))
  const record = inTurn(thoughtRecords(1000))
  await bench.compare({
    name: 'durable create',
    ours: () => minions.create(thoughtType, input()),
    peer: () => raw.insertMany([renewed(record())]),
    peerName: 'pg, one transaction',
  })
  await minions.close()
}

/** @param {Bench} bench @param {string} connectionString @param {pg.Pool} pool */
async function reads(bench, connectionString, pool) {
  const minions = await clientWith(postgresStorage({ connectionString, schema: 'large' }), SIZE)
  const small = await clientWith(postgresStorage({ connectionString, schema: 'small' }), 10_000)
  const raw = await rawStore(pool, 'raw_large')
  const records = thoughtRecords(SIZE)
  for (let start = 0; start < SIZE; start += 10_000) await raw.insertMany(records.slice(start, start + 10_000))
  // What autovacuum does within a minute.
  await pool.query('VACUUM ANALYZE')
  const { items } = await minions.find({ limit: 1000 })
  const { items: smallItems } = await small.find({ limit: 1000 })
  let next = 0
  const idOf = (/** @type {readonly Minion[]} */ list) => list[next++ % 1000]?.id ?? ''
  const status = inTurn(/** @type {const} */ (['todo', 'active']))
  const rare = () => (next = (next + 7919) % 1000)
  const find = () => minions.find(page(status()))
  const search = () => minions.search(`rare${rare()} batch${next}`, { limit: 50 })
  const rawSearch = () => raw.search(`'rare${rare()}':* & 'batch${next}':*`)
  await warmUp(
    () => minions.get(idOf(items)),
    () => raw.get(idOf(records)),
    find,
    () => raw.page(status()),
    search,
    rawSearch,
  )
  await bench.compare({
    name: 'get by id',
    ours: () => minions.get(idOf(items)),
    peer: () => raw.get(idOf(records)),
    peerName: 'pg',
    bar: 0.7,
    from: 'the driver itself',
  })
  await bench.compare({
    name: 'filtered, ordered page of 50 from 100,000',
    ours: find,
    peer: () => raw.page(status()),
    peerName: 'pg',
    bar: 0.7,
    from: 'the driver itself',
  })
  await bench.compare({
    name: 'two-word search in 100,000',
    ours: search,
    peer: rawSearch,
    peerName: 'pg, tsvector',
    bar: 0.7,
    from: 'the driver itself',
  })
  await growthOfReads(bench, {
    small,
    large: minions,
    reads: {
      'get by id': (client, size) => client.get(idOf(size === SIZE ? items : smallItems)),
      'page of 50': (client) => client.find(page(status())),
      'selective search': (client, size) =>
        client.search(`number${size - 7 - rare()} batch${(size - 7 - next) % 1000}`),
    },
  })
  await minions.close()
  await small.close()
}

/**
 * A call to a server is so slow that the harness makes too few of them for the compiler to notice.
 * @param {(() => Promise<unknown>)[]} works
 */
async function warmUp(...works) {
  for (let round = 0; round < 1500; round++) for (const work of works) await work()
}

/**
 * The same tables and indexes, written and read without Minions.
 * @param {pg.Pool} pool
 * @param {string} table
 */
async function rawStore(pool, table) {
  await pool.query(`
    CREATE TABLE ${table} (key text COLLATE "C" PRIMARY KEY, revision text NOT NULL, doc jsonb NOT NULL,
      type text COLLATE "C" NOT NULL, status text COLLATE "C", created text COLLATE "C" NOT NULL,
      updated text COLLATE "C" NOT NULL, deleted text COLLATE "C", words tsvector NOT NULL);
    CREATE INDEX ON ${table} (deleted NULLS FIRST, created NULLS FIRST, key);
    CREATE INDEX ON ${table} (type NULLS FIRST, deleted NULLS FIRST, created NULLS FIRST, key);
    CREATE INDEX ON ${table} (type NULLS FIRST, deleted NULLS FIRST, status NULLS FIRST, created NULLS FIRST, key);
    CREATE INDEX ON ${table} (updated NULLS FIRST, key);
    CREATE INDEX ON ${table} (created NULLS FIRST, key);
    CREATE INDEX ON ${table} USING gin ((doc -> 'tags') jsonb_path_ops);
    CREATE INDEX ON ${table} USING gin (words)`)
  let revision = 0
  /** Prepared, as the driver recommends for what is asked often. */
  const docs = async (/** @type {string} */ name, /** @type {string} */ text, /** @type {unknown[]} */ values) =>
    (await pool.query({ name: `${table} ${name}`, text, values })).rows.map(({ doc }) => doc)
  const thereIs = 'deleted IS NULL ORDER BY deleted NULLS FIRST, created NULLS FIRST, key LIMIT 51'
  return {
    /** @param {Minion[]} records */
    async insertMany(records) {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        for (let start = 0; start < records.length; start += 1000) {
          /** @type {unknown[]} */
          const values = []
          const rows = records.slice(start, start + 1000).map((record) => {
            const { id, minionTypeId, status, createdAt, updatedAt } = record
            const text = words(foldText(record.searchableText ?? ''))
            const own = [id, `r${revision++}`, JSON.stringify(record), minionTypeId, status, createdAt, updatedAt, text]
            const marks = own.map((value) => `$${values.push(value)}`)
            return `(${marks.slice(0, -1).join(', ')}, array_to_tsvector(${marks.at(-1)}::text[]))`
          })
          await client.query(
            `INSERT INTO ${table} (key, revision, doc, type, status, created, updated, words) VALUES ${rows.join(', ')}`,
            values,
          )
        }
        await client.query('COMMIT')
      } finally {
        client.release()
      }
    },
    get: (/** @type {string} */ key) => docs('get', `SELECT doc FROM ${table} WHERE key = $1`, [key]),
    page: (/** @type {string} */ status) =>
      docs('page', `SELECT doc FROM ${table} WHERE type = $1 AND status = $2 AND ${thereIs}`, [
        'builtin-thought',
        status,
      ]),
    search: (/** @type {string} */ query) =>
      docs('search', `SELECT doc FROM ${table} WHERE words @@ $1::tsquery AND ${thereIs}`, [query]),
  }
}
