// @ts-check
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { lossyRedis } from './redis.mjs'

/** Milliseconds between two runs of autovacuum, as PostgreSQL is configured by default. */
const VACUUM_EVERY = 60_000

/**
 * A store that several processes can open.
 *
 * @typedef {object} ProofStore
 * @property {string} name
 * @property {{ storage: string, redis?: string }} options what a process opens it with
 * @property {string} folder a folder of its own
 * @property {() => Promise<number>} [cutConnections] ends every connection to the database; resolves to how many
 * @property {() => Promise<number>} [loseQueues] lets the queues beside it lose everything; resolves to 1
 * @property {() => Promise<void>} remove
 */

/** A SQLite file. @returns {Promise<ProofStore>} */
export async function sqliteStore() {
  const folder = mkdtempSync(join(tmpdir(), 'minions-proof-'))
  const remove = async () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  return { name: 'SQLite', options: { storage: `sqlite:${join(folder, 'proof.db')}` }, folder, remove }
}

/** A SQLite file whose jobs are announced by BullMQ on a Redis of its own; undefined where none can be started. @returns {Promise<ProofStore | undefined>} */
export async function bullmqStore() {
  const redis = await lossyRedis()
  if (redis === undefined) return undefined
  const { folder, options, remove } = await sqliteStore()
  let losses = 0
  return {
    name: 'SQLite, BullMQ',
    options: { ...options, redis: redis.url },
    folder,
    async loseQueues() {
      await (losses++ % 2 === 0 ? redis.flush() : redis.restart())
      return 1
    },
    async remove() {
      await redis.stop()
      await remove()
    },
  }
}

/** A database of its own on the server that MINIONS_TEST_POSTGRES_URL names; undefined without one. @returns {Promise<ProofStore | undefined>} */
export async function postgresStore() {
  const server = process.env.MINIONS_TEST_POSTGRES_URL
  if (server === undefined || server === '') return undefined
  const name = `proof_${randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  /** @param {string} text @param {unknown[]} [values] */
  const query = async (text, values, connectionString = server) => {
    const client = new pg.Client({ connectionString })
    // Its connection may be cut like all others.
    client.on('error', () => {})
    await client.connect()
    try {
      return await client.query(text, values)
    } finally {
      await client.end()
    }
  }
  await query(`CREATE DATABASE ${name}`)
  // Servers for tests often have it off; those that run workers do not.
  const isVacuumed = (await query('SHOW autovacuum')).rows[0]?.autovacuum === 'on'
  const vacuum = () => void query('VACUUM (ANALYZE)', [], url.href).catch(() => {})
  const vacuuming = isVacuumed ? undefined : setInterval(vacuum, VACUUM_EVERY)
  const folder = mkdtempSync(join(tmpdir(), 'minions-proof-'))
  return {
    name: 'PostgreSQL',
    options: { storage: url.href },
    folder,
    async cutConnections() {
      const text =
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()'
      return (await query(text, [name])).rowCount ?? 0
    },
    async remove() {
      clearInterval(vacuuming)
      await query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
