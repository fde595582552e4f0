import { setTimeout as sleep } from 'node:timers/promises'
import { isMinionsError, MinionsError } from '@minions/core'
import { exhausted, isCollision, translate } from './errors.js'
import type { Channel } from './executor.js'
import { Session } from './session.js'

export interface TransactionSettings {
  readonly isolation: 'serializable' | 'readCommitted'
  /** How often to run again after a collision. */
  readonly retries: number
}

/** What a run of the work gives, and who can say why its commit failed. */
interface Outcome<T> {
  readonly result: T
  readonly explain?: (error: unknown) => Promise<Error | undefined>
}

const COLLIDED = Symbol('collided')

/**
 * Runs work in a transaction and commits. When it collides with another transaction, it has not happened: after a pause
 * the work is run again from the beginning, on another snapshot, up to a limit.
 */
export async function runTransaction<T>(
  channel: Channel,
  settings: TransactionSettings,
  work: (session: Session) => Promise<Outcome<T>>,
): Promise<T> {
  for (let attempt = 0; attempt <= settings.retries; attempt += 1) {
    if (attempt > 0) await pause(attempt)
    if (!(await channel.throttle.enter())) throw exhausted(channel.where)
    let collided = false
    try {
      const result = await runOnce(channel, settings, work)
      if (result !== COLLIDED) return result
      collided = true
    } finally {
      channel.throttle.leave(collided)
    }
  }
  throw new MinionsError(
    'STORAGE_BUSY',
    `A transaction in the PostgreSQL store ${channel.where} collided with others ${settings.retries + 1} times; try again later.`,
    { details: { attempts: settings.retries + 1 } },
  )
}

async function runOnce<T>(
  channel: Channel,
  { isolation }: TransactionSettings,
  work: (session: Session) => Promise<Outcome<T>>,
): Promise<T | typeof COLLIDED> {
  const session = await Session.begin(channel, isolation)
  let outcome: Outcome<T>
  try {
    outcome = await work(session)
  } catch (error) {
    await session.rollback()
    if (session.collided) return COLLIDED
    throw error
  }
  try {
    await session.commit()
    return outcome.result
  } catch (error) {
    await session.rollback()
    if (isCollision(error)) return COLLIDED
    if (isMinionsError(error)) throw error
    throw (await outcome.explain?.(error)) ?? translate(error, channel.where)
  }
}

/** Grows with each attempt and differs between programs, so that they do not collide again at once. */
async function pause(attempt: number): Promise<void> {
  const longest = Math.min(4 * 2 ** attempt, 300)
  await sleep(longest * (0.25 + 0.75 * Math.random()))
}
