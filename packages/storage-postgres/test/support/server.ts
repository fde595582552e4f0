import { randomUUID } from 'node:crypto'
import type { StorageBackend } from '@minions/core/storage'
import type { StorageSettings } from '@minions/storage-testkit'
import { Client } from 'pg'
import { postgresStorage } from '../../src/index.ts'
import type { PostgresStorageOptions } from '../../src/options.ts'

/** A real server to test on; without it the suites that need one are skipped. */
export const serverUrl = process.env.MINIONS_TEST_POSTGRES_URL

/** Options of tests that are skipped without a server. */
export const needsServer = { meta: { needs: 'a PostgreSQL server: set MINIONS_TEST_POSTGRES_URL' } }

/** A database for one test file, on the server or in PGlite. */
export interface TestDatabase {
  readonly url: string
  readonly options?: Partial<PostgresStorageOptions>
  drop(): Promise<void>
}

/** How a database can be made; `icu` is where a forgotten collation shows. */
export const LOCALES = {
  default: 'TEMPLATE template0',
  icu: "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'",
} as const

/** Makes a database of its own on the server. */
export async function createDatabase(locale: keyof typeof LOCALES = 'default'): Promise<TestDatabase> {
  if (serverUrl === undefined) throw new Error('MINIONS_TEST_POSTGRES_URL is not set')
  const name = `minions_test_${randomUUID().replaceAll('-', '')}`
  await execute(serverUrl, `CREATE DATABASE ${name} ${LOCALES[locale]} ENCODING 'UTF8'`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => execute(serverUrl as string, `DROP DATABASE ${name} WITH (FORCE)`).then(() => {}),
  }
}

/** Runs a statement on a connection of its own. */
export async function execute(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

/** What the conformance kit takes: a schema of its own for every test. */
export function storages(database: () => TestDatabase) {
  return async (settings?: StorageSettings) => {
    const { url, options } = database()
    const schema = `t_${randomUUID()}`
    const connect = async (): Promise<StorageBackend> =>
      postgresStorage({ connectionString: url, schema, ...options, ...settings })
    return {
      backend: await connect(),
      connect,
      reopen: connect,
      dispose: async () => {
        await execute(url, `DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
      },
    }
  }
}
