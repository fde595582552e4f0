// @ts-check
import { randomUUID } from 'node:crypto'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { postgresStorage } from '@minions/storage-postgres'
import { sqliteStorage } from '@minions/storage-sqlite'
import pg from 'pg'

/** @typedef {{ name: string, cpu: boolean, open: () => Promise<{ storage: any, drop: () => Promise<unknown> }> }} Backend */

/** Prompts that are written in turn, so that none of them has the newest version for long. */
export const NEIGHBOURS = 1_000

const server = process.env.MINIONS_TEST_POSTGRES_URL

/** Where the prompts are kept. A server's work is not in our processor time, so it is measured on the wall. @type {Backend[]} */
export const backends = [
  {
    name: 'SQLite',
    cpu: true,
    open: async () => ({ storage: sqliteStorage({ path: ':memory:' }), drop: async () => undefined }),
  },
  { name: 'memory', cpu: true, open: async () => ({ storage: 'memory:', drop: async () => undefined }) },
  ...(server === undefined ? [] : [{ name: 'PostgreSQL', cpu: false, open: () => openPostgres(server) }]),
]

/** @param {string} connectionString */
async function openPostgres(connectionString) {
  const schema = `minions_bench_${randomUUID().replaceAll('-', '')}`
  return {
    storage: postgresStorage({ connectionString, schema }),
    async drop() {
      const client = new pg.Client({ connectionString })
      await client.connect()
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      await client.end()
    },
  }
}

/**
 * A store whose prompts are always written in turn, and in it a prompt for each number of versions: by number, its id.
 *
 * @param {Backend} backend
 * @param {readonly number[]} sizes
 */
export async function busyStore(backend, sizes) {
  const { storage, drop } = await backend.open()
  const app = await createMinions({ storage, plugins: [prompts()] })
  const write = async (/** @type {string} */ title) => app.prompts.create({ title, content: 'Hi {{name}}' })
  /** @type {Map<number, string>} */
  const ids = new Map()
  for (const size of sizes) {
    const { id } = await write(`Of ${size}`)
    await app.prompts.variables.define(id, { name: 'name' })
    ids.set(size, id)
  }
  const others = []
  for (let count = 0; count < NEIGHBOURS; count++) others.push(await write(`P${count}`))
  for (let count = 0; count < Math.max(NEIGHBOURS, ...sizes); count++) {
    const content = `Hi {{name}} ${count}`
    for (const [size, id] of ids) if (count < size) await app.prompts.addVersion(id, { content })
    const other = others[count % NEIGHBOURS]
    if (other) await app.prompts.addVersion(other.id, { content })
  }
  for (const id of ids.values()) await app.prompts.publish(id)
  const close = async () => {
    await app.close()
    await drop()
  }
  return { app, ids, close }
}
