import { isMinionsError } from '@minions/core'
import { exhausted, isCollision, translate } from './errors.js'
import type { Channel } from './executor.js'
import { COLLIDED, repeatedly } from './repeatedly.js'
import { Session } from './session.js'

export interface TransactionSettings {
  readonly isolation: 'serializable' | 'readCommitted'
  /** Number of retries after a collision. */
  readonly retries: number
}

/** The result of a run of the work, and a way to explain a failed commit. */
interface Outcome<T> {
  readonly result: T
  readonly explain?: (error: unknown) => Promise<Error | undefined>
  /** A statement to run before the commit. */
  readonly last?: string | undefined
}

/**
 * Runs work in a transaction and commits. A collision with another transaction means that it had no effect: after a
 * pause the work runs again from the beginning, on another snapshot, up to a limit.
 */
export function runTransaction<T>(
  channel: Channel,
  settings: TransactionSettings,
  work: (session: Session) => Promise<Outcome<T>>,
): Promise<T> {
  return repeatedly(channel, settings.retries, async () => {
    if (!(await channel.throttle.enter())) throw exhausted(channel.where)
    let collided = false
    try {
      const result = await runOnce(channel, settings, work)
      collided = result === COLLIDED
      return result
    } finally {
      channel.throttle.leave(collided)
    }
  })
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
    await session.commit(outcome.last)
    return outcome.result
  } catch (error) {
    await session.rollback()
    if (isCollision(error)) return COLLIDED
    if (isMinionsError(error)) throw error
    throw (await outcome.explain?.(error)) ?? translate(error, channel.where)
  }
}
