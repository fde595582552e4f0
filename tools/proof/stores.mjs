// @ts-check
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/**
 * A store that several processes can open.
 *
 * @typedef {object} ProofStore
 * @property {string} name
 * @property {string} url
 * @property {string} folder a folder of its own
 * @property {() => Promise<number>} [cutConnections] ends every connection to the database; resolves to how many
 * @property {() => Promise<void>} remove
 */

/** A SQLite file. @returns {Promise<ProofStore>} */
export async function sqliteStore() {
  const folder = mkdtempSync(join(tmpdir(), 'minions-proof-'))
  const remove = async () => rmSync(folder, { recursive: true, force: true })
  return { name: 'SQLite', url: `sqlite:${join(folder, 'proof.db')}`, folder, remove }
}

/** A database of its own on the server that MINIONS_TEST_POSTGRES_URL names; undefined without one. @returns {Promise<ProofStore | undefined>} */
export async function postgresStore() {
  const server = process.env.MINIONS_TEST_POSTGRES_URL
  if (server === undefined || server === '') return undefined
  const name = `proof_${randomUUID().replaceAll('-', '')}`
  /** @param {string} text @param {unknown[]} [values] */
  const query = async (text, values) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    try {
      return await client.query(text, values)
    } finally {
      await client.end()
    }
  }
  await query(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const folder = mkdtempSync(join(tmpdir(), 'minions-proof-'))
  return {
    name: 'PostgreSQL',
    url: url.href,
    folder,
    async cutConnections() {
      const text =
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()'
      return (await query(text, [name])).rowCount ?? 0
    },
    async remove() {
      await query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
