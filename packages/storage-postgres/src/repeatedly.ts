import { setTimeout as sleep } from 'node:timers/promises'
import { MinionsError } from '@minions/core'
import type { Channel } from './executor.js'

/** Returned by work that collided with others and had no effect. */
export const COLLIDED = Symbol('collided')

/** Retries with growing pauses as long as work collides with other transactions, up to a limit. */
export async function repeatedly<T>(
  { where }: Channel,
  retries: number,
  work: () => Promise<T | typeof COLLIDED>,
): Promise<T> {
  for (let attempt = 0; attempt <= retries; attempt += 1) {
    if (attempt > 0) await pause(attempt)
    const result = await work()
    if (result !== COLLIDED) return result
  }
  const message = `A transaction in the PostgreSQL store ${where} collided with others ${retries + 1} times; try again later.`
  throw new MinionsError('STORAGE_BUSY', message, { details: { attempts: retries + 1 } })
}

/** Grows with each attempt and differs between programs, so that they do not collide again immediately. */
async function pause(attempt: number): Promise<void> {
  const longest = Math.min(4 * 2 ** attempt, 300)
  await sleep(longest * (0.25 + 0.75 * Math.random()))
}
