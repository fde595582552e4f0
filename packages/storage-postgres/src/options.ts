import type { ConnectionOptions } from 'node:tls'
import { MinionsError } from '@minions/core'
import { jsonProblem } from '@minions/core/json'
import type { ChangeRetention } from '@minions/core/storage'
import type { Pool } from 'pg'

/** Options of a store on PostgreSQL, which needs either `connectionString` or `pool`. */
export interface PostgresStorageOptions {
  /** `postgres://user:password@host:5432/database`, with all parameters of the driver `pg`. */
  readonly connectionString?: string
  /** An existing pool of the application. Closing the store does not end it. */
  readonly pool?: Pool
  /** The schema that holds the tables. Default: `minions`. Stores in different schemas are independent. */
  readonly schema?: string
  /** Maximum number of connections. Default: 10. Like the next two, not with `pool`. */
  readonly poolSize?: number
  /** Milliseconds to wait for a connection. Default: 30,000. */
  readonly connectionTimeout?: number
  /** TLS: true, or the options of Node's `tls.connect`. */
  readonly ssl?: boolean | ConnectionOptions
  /**
   * Keeps the most frequent statements prepared on each connection; default true. Switch it off behind a pooler that
   * changes connections between transactions, and for PGlite.
   */
  readonly preparedStatements?: boolean
  /** Number of retries of a transaction that collided with others before it fails with `STORAGE_BUSY`. Default: 30. */
  readonly retries?: number
  /** Retention of the change feed. Default: 7 days and a million changes. */
  readonly changes?: ChangeRetention
}

/** Throws `VALIDATION_FAILED` for options that cannot be used. */
export function checkOptions(options: PostgresStorageOptions): void {
  const { connectionString, pool, schema = 'minions', poolSize = 1, retries = 0, connectionTimeout = 1 } = options
  if ((connectionString === undefined) === (pool === undefined)) {
    throw invalid('needs either a connectionString or a pool')
  }
  if (connectionString !== undefined && (typeof connectionString !== 'string' || connectionString === '')) {
    throw invalid('needs a connectionString such as postgres://user:password@host:5432/database')
  }
  if (typeof schema !== 'string' || schema === '' || Buffer.byteLength(schema) > 63 || jsonProblem(schema)) {
    throw invalid('needs a schema name of 1 to 63 bytes')
  }
  if (schema.startsWith('pg_'))
    throw invalid('does not accept a schema that begins with "pg_": PostgreSQL reserves those')
  if (!isCount(poolSize, 1)) throw invalid('needs a positive integer as poolSize')
  if (!isCount(connectionTimeout, 1)) throw invalid('needs a positive number of milliseconds as connectionTimeout')
  if (!isCount(retries, 0)) throw invalid('needs a non-negative integer as retries')
}

/** Description of the store: host, database and schema, without user and password. */
export function describeStore({ connectionString, pool, schema = 'minions' }: PostgresStorageOptions): string {
  const location = connectionString ?? pool?.options.connectionString
  if (location !== undefined && URL.canParse(location)) {
    const { host, pathname } = new URL(location)
    return `"${schema}" at ${host}${pathname}`
  }
  const { host, database } = pool?.options ?? {}
  return `"${schema}"${host ? ` at ${host}` : ''}${database ? `/${database}` : ''}`
}

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least
}

function invalid(problem: string): Error {
  return new MinionsError('VALIDATION_FAILED', `postgresStorage ${problem}.`)
}
