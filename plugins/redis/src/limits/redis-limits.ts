import { generateId, messageOf } from '@minions/core'
import { repeat, Semaphore, sleep, type Timers } from '@minions/core/coordination'
import type { Logger, SharedLimits, SharedRate, SharedRateLimiter, SharedSlots } from '@minions/core/plugin'
import type { Redis } from 'ioredis'
import { redisError } from '../errors.js'
import { COUNT_USE, TAKE_SLOT } from './scripts.js'

/** Milliseconds after which the slot of a dead process is freed. */
const SLOT_TTL = 10_000
const FIRST_PAUSE = 10
const LONGEST_PAUSE = 200

export interface RedisLimitsOptions {
  readonly client: Redis
  readonly base: string
  readonly timers: Timers
  readonly logger: Logger
}

/**
 * Limits across all processes with one prefix. While Redis is unavailable, each process enforces them on its own and
 * logs it.
 */
export class RedisLimits implements SharedLimits {
  readonly #options: RedisLimitsOptions
  readonly #own = new Map<string, Semaphore>()

  constructor(options: RedisLimitsOptions) {
    this.#options = options
  }

  rate(name: string, { points, duration }: SharedRate): SharedRateLimiter {
    // Redis counts in whole milliseconds.
    const millis = Math.max(1, Math.ceil(duration * 1000))
    const countHere = localCounter(millis, this.#options.timers)
    return {
      consume: async (key) => {
        const [count, remaining] = await this.#count(`rate:${name}:${key}`, millis).catch((error: unknown) => {
          this.#options.logger.warn('Redis is unavailable; a rate is counted in this process', {
            name,
            error: messageOf(error),
          })
          return countHere(key)
        })
        if (count <= points) return
        const text = `"${name}" was used more than ${points} times in ${duration} s; try again in ${remaining} ms.`
        const error = redisError('RATE_LIMITED', text, { details: { name, msBeforeNext: remaining } })
        throw Object.assign(error, { msBeforeNext: remaining })
      },
    }
  }

  slots(name: string, limit: number): SharedSlots {
    const own = this.#own.get(name) ?? new Semaphore(limit)
    this.#own.set(name, own)
    return {
      acquire: async (signal) => {
        await own.acquire(signal)
        try {
          const release = await this.#acquire(`slots:${name}`, limit, signal)
          return once(() => {
            release()
            own.release()
          })
        } catch (error) {
          own.release()
          throw error
        }
      },
    }
  }

  async #count(name: string, millis: number): Promise<[count: number, remaining: number]> {
    const { client, base } = this.#options
    const answer = await client.eval(COUNT_USE, 1, `${base}:${name}`, millis)
    const [count = 0, remaining = 0] = Array.isArray(answer) ? answer.map(Number) : []
    return [count, Math.max(1, remaining)]
  }

  async #acquire(name: string, limit: number, signal: AbortSignal | undefined): Promise<() => void> {
    const { client, base, timers, logger } = this.#options
    const [key, holder] = [`${base}:${name}`, generateId()]
    const take = () => client.eval(TAKE_SLOT, 1, key, holder, limit, SLOT_TTL)
    for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
      try {
        if ((await take()) === 1) break
      } catch (error) {
        logger.warn('Redis is unavailable; a limit is enforced by this process alone', {
          name,
          error: messageOf(error),
        })
        return () => {}
      }
      await sleep(pause, timers, signal)
    }
    const keep = async () => {
      await take()
    }
    const stop = repeat(SLOT_TTL / 4, keep, () => {}, timers, { background: true })
    return () => {
      stop()
      client.zrem(key, holder).catch(() => {})
    }
  }
}

/** Counts by key in this process, in windows of so many milliseconds. */
function localCounter(millis: number, timers: Timers) {
  let counts = new Map<string, number>()
  let endsAt = 0
  return (key: string): [count: number, remaining: number] => {
    const now = timers.now()
    if (now >= endsAt) {
      counts = new Map()
      endsAt = now + millis
    }
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return [count, Math.ceil(endsAt - now)]
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
