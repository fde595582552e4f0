import { MinionsError } from '@minions/core'

type Meaning = readonly [pattern: RegExp, code: string, meaning: string]

/** Meanings of PostgreSQL error codes, by prefix. */
const SQL_STATES: readonly Meaning[] = [
  [/^40(001|P01)/, 'STORAGE_BUSY', 'kept colliding with other writers; try again'],
  [/^55P03|^57014/, 'STORAGE_BUSY', 'did not answer within the time limit of the server; try again'],
  [/^53[34]00/, 'STORAGE_BUSY', 'has no free connection; try again or allow more connections'],
  [/^57P/, 'STORAGE_UNAVAILABLE', 'is shutting down, starting up or ended the connection; try again later'],
  [/^08/, 'STORAGE_UNAVAILABLE', 'lost the connection; try again'],
  [/^(28|3D)/, 'STORAGE_UNAVAILABLE', 'refuses the connection; check user, password and database'],
  [/^(42501|3F)/, 'STORAGE_UNAVAILABLE', 'may not be used by this user; check its permissions on the schema'],
  [/^25006/, 'STORAGE_UNAVAILABLE', 'can only be read; connect to the primary server'],
  [/^53100/, 'STORAGE_UNAVAILABLE', 'cannot grow because the disk is full; free some space and try again'],
  [/^XX00[12]/, 'STORAGE_CORRUPT', 'is damaged; restore a backup'],
  [
    /^(42P01|42703)/,
    'STORAGE_VERSION',
    'was changed by another version of the program; restart this one in that version',
  ],
  [
    /^42P07/,
    'STORAGE_UNAVAILABLE',
    'has a table that was not created by Minions under a name that it needs; choose another schema',
  ],
  [/^(22|54)/, 'VALIDATION_FAILED', 'cannot hold one of the values'],
]

/** The pool's message when no connection became free in time; it has no code. */
const POOL_EXHAUSTED = /^timeout exceeded when trying to connect/

const NO_CONNECTION = 'has no free connection in its pool; end transactions sooner or raise poolSize'

const DRIVER_MESSAGES: readonly Meaning[] = [
  [POOL_EXHAUSTED, 'STORAGE_BUSY', NO_CONNECTION],
  [/./, 'STORAGE_UNAVAILABLE', 'cannot be reached or lost the connection; check that the server runs and try again'],
]

/** The same failure as a `MinionsError`, with the driver's own as its cause. `where` names the store. */
export function translate(error: unknown, where: string, details: Record<string, unknown> = {}): MinionsError {
  const state = sqlState(error)
  const text = state ?? String((error as Error | undefined)?.message || 'unknown')
  const [, code, meaning] = (state === undefined ? DRIVER_MESSAGES : SQL_STATES).find(([pattern]) =>
    pattern.test(text),
  ) ?? [null, 'STORAGE_UNAVAILABLE', 'failed to execute a statement']
  const driverCode = state ?? (error as { code?: unknown } | undefined)?.code
  return new MinionsError(code, `The PostgreSQL store ${where} ${meaning}${driverCode ? ` (${driverCode})` : ''}.`, {
    cause: error,
    details: { ...(driverCode !== undefined && { postgres: driverCode }), ...details },
  })
}

/** All connections were in use for too long. */
export function exhausted(where: string): MinionsError {
  return new MinionsError('STORAGE_BUSY', `The PostgreSQL store ${where} ${NO_CONNECTION}.`)
}

/** The connection broke while something was written. `during` names it, and `what` begins what is said of it. */
export function unknownOutcome(cause: unknown, where: string, during: string, what: string): MinionsError {
  const message = `The PostgreSQL store ${where} lost the connection during a ${during}, so ${what} may have happened or not; read before you repeat it.`
  return new MinionsError('STORAGE_UNAVAILABLE', message, { cause, details: { outcome: 'unknown' } })
}

/** The SQLSTATE of an error that the server reported; undefined for those of the driver and the network. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('severity' in error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The server already has a prepared statement of this name, from another connection of the same session. */
export const DUPLICATE_PREPARED = '42P05'

/** True if the transaction failed only because of others and may succeed when retried. */
export function isCollision(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01' || state === DUPLICATE_PREPARED
}

/** True if the connection is lost, so that the outcome of the last statement is unknown. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error)
  return state === undefined ? !POOL_EXHAUSTED.test(String((error as Error)?.message)) : /^(08|57P0)/.test(state)
}
