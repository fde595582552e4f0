import { createHash } from 'node:crypto'
import type { ClientBase, Pool, QueryArrayConfig } from 'pg'
import { DUPLICATE_PREPARED, isConnectionLoss, sqlState, translate } from './errors.js'
import type { Statement } from './sql/statement.js'
import type { Throttle } from './throttle.js'

const MAX_PREPARED = 300

/** Values are returned as PostgreSQL formats them, regardless of parsers set by the application. */
export type ResultRow = readonly (string | null)[]

export interface Result {
  readonly rows: readonly ResultRow[]
  /** Number of rows found or written. */
  readonly count: number
}

/** Executes statements: the pool, or the connection of a transaction. */
export interface Executor {
  run(statement: Statement): Promise<Result>
}

export interface Channel {
  readonly pool: Pool
  /** Description of the store for messages, without a password. */
  readonly where: string
  readonly throttle: Throttle
  /** Undefined when statements are not prepared. */
  readonly names: StatementNames | undefined
}

/** Runs single statements, each on a free connection of the pool. For reading only. */
export function poolExecutor(channel: Channel): Executor {
  const { pool, where } = channel
  return {
    async run(statement) {
      for (let remaining = attemptsOn(pool); ; remaining -= 1) {
        try {
          return await send(pool, statement, channel)
        } catch (error) {
          if (remaining === 1 || !isConnectionLoss(error)) throw translate(error, where)
        }
      }
    },
  }
}

/**
 * Attempts for statements that are safe to repeat: every connection in the pool may have died unnoticed, and the next
 * is new.
 */
export function attemptsOn(pool: Pool): number {
  return pool.totalCount + 1
}

/** Sends a statement; throws the driver's own errors. */
export async function send(
  target: Pool | ClientBase,
  { text, values, prepared }: Statement,
  { names }: Channel,
): Promise<Result> {
  const config: QueryArrayConfig = { text, values: [...values], rowMode: 'array', types: RAW }
  if (prepared) config.name = names?.nameOf(text)
  try {
    const { rows, rowCount } = await target.query<(string | null)[]>(config)
    return { rows, count: rowCount ?? 0 }
  } catch (error) {
    if (sqlState(error) !== DUPLICATE_PREPARED) throw error
    // Connections share a session, as behind some poolers: statements cannot be prepared there.
    names?.disable()
    if (!('totalCount' in target)) throw error
    const { rows, rowCount } = await target.query<(string | null)[]>({ ...config, name: undefined })
    return { rows, count: rowCount ?? 0 }
  }
}

const RAW = { getTypeParser: () => (value: string) => value } as NonNullable<QueryArrayConfig['types']>

/** The names of the statements that a store keeps prepared, up to a number that servers can bear per connection. */
export class StatementNames {
  readonly #names = new Map<string, string>()

  #isDisabled = false

  disable(): void {
    this.#isDisabled = true
  }

  /** The same text has the same name everywhere, so that stores can share a pool. */
  nameOf(text: string): string | undefined {
    if (this.#isDisabled) return undefined
    let name = this.#names.get(text)
    if (name === undefined && this.#names.size < MAX_PREPARED) {
      name = `minions_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
      this.#names.set(text, name)
    }
    return name
  }
}
