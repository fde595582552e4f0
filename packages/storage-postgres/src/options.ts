import type { ConnectionOptions } from 'node:tls'
import { MinionsError } from '@minions/core'
import { jsonProblem } from '@minions/core/json'
import type { ChangeRetention } from '@minions/core/storage'
import type { Pool } from 'pg'

/** Options of a store on PostgreSQL, which needs either `connectionString` or `pool`. */
export interface PostgresStorageOptions {
  /** `postgres://user:password@host:5432/database`, with everything that the driver `pg` understands. */
  readonly connectionString?: string
  /** A pool that the application has already. Closing the store does not end it. */
  readonly pool?: Pool
  /** The schema that holds the tables; `minions` unless given. Stores in different schemas do not touch each other. */
  readonly schema?: string
  /** Most connections at a time; 10 unless given. Not with `pool`, nor are the next two. */
  readonly poolSize?: number
  /** Milliseconds to wait for a connection before giving up; 30,000 unless given. */
  readonly connectionTimeout?: number
  /** TLS: true, or the options of Node's `tls.connect`. */
  readonly ssl?: boolean | ConnectionOptions
  /**
   * Keeps the most frequent statements prepared on each connection; true unless given. Switch it off behind a pooler
   * that changes connections between transactions, and for PGlite.
   */
  readonly preparedStatements?: boolean
  /** How often a transaction that collided with others is run again before it is `STORAGE_BUSY`; 30 unless given. */
  readonly retries?: number
  /** How much of the change feed is kept; 7 days and a million changes unless given. */
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
    throw invalid('takes as schema a name of 1 to 63 bytes')
  }
  if (schema.startsWith('pg_'))
    throw invalid('takes no schema that begins with "pg_": PostgreSQL keeps those for itself')
  if (!isCount(poolSize, 1)) throw invalid('takes as poolSize a whole number from 1')
  if (!isCount(connectionTimeout, 1)) throw invalid('takes as connectionTimeout milliseconds from 1')
  if (!isCount(retries, 0)) throw invalid('takes as retries a whole number from 0')
}

/** The store in words: host, database and schema, without user and password. */
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
