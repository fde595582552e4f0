import { describe, expect, it } from 'vitest'
import { isFree, type Lease, leaseOf, repeat, tokenSource, watchLease } from '../../src/coordination/index.js'
import { manualTimers } from './manual-timers.js'

const LEASE_MS = 100

/** Watches a lease that is stored in a variable, with a clock that is so many milliseconds ahead of the holder's. */
function setUp({ ahead = 0 } = {}) {
  const time = manualTimers()
  const holder = { clock: time.clock, leaseMs: LEASE_MS }
  const terms = { clock: () => time.clock() + ahead, timers: time.timers, leaseMs: LEASE_MS }
  const state: { lease: Lease | undefined } = { lease: leaseOf('holder', holder) }
  const watch = () => watchLease(state.lease as Lease, () => state.lease, terms)
  return { time, holder, terms, state, watch }
}

describe('tokens', () => {
  it('are never used twice', () => {
    const sources = [tokenSource(), tokenSource()]
    const tokens = sources.flatMap((next) => Array.from({ length: 1000 }, next))
    expect(new Set(tokens).size).toBe(2000)
  })
})

describe('isFree', () => {
  it('takes a lease for free when there is none, its time is over, or it was watched in vain', () => {
    const lease = { token: 'a', expires_at: 100 }
    expect([isFree(undefined, () => 0), isFree(null, () => 0), isFree(lease, () => 100)]).toEqual([true, true, true])
    expect([isFree(lease, () => 99), isFree(lease, () => 99, { ...lease })]).toEqual([false, true])
    expect(isFree(lease, () => 99, { ...lease, expires_at: 99 })).toBe(false)
    expect(isFree(lease, () => 99, { ...lease, token: 'b' })).toBe(false)
  })
})

describe('watchLease', () => {
  it.each([0, -1_000_000])('finds that a dead holder is gone, with a clock that is off by %i', async (ahead) => {
    const { time, state, watch } = setUp({ ahead })
    let isOver = false
    const watched = watch().finally(() => {
      isOver = true
    })
    await time.advance(LEASE_MS - 1)
    expect(isOver).toBe(false)
    await time.advance(1)
    await expect(watched).resolves.toEqual({ lease: state.lease, free: true })
  })

  it('finds out before the whole duration when the time of the lease is over', async () => {
    const { time, watch } = setUp()
    await time.advance(90)
    const watched = watch()
    await time.advance(10)
    await expect(watched).resolves.toMatchObject({ free: true })
  })

  it('lets at least a millisecond pass before it reads, also when the time of the lease is over', async () => {
    const { time, terms, state } = setUp({ ahead: LEASE_MS })
    let reads = 0
    const read = () => {
      reads += 1
      return state.lease
    }
    const watched = watchLease(state.lease as Lease, read, terms)
    await time.advance(0)
    expect(reads).toBe(0)
    await time.advance(1)
    await expect(watched).resolves.toMatchObject({ free: true })
    expect(reads).toBe(1)
  })

  it('finds that a living holder renews, and that another took the lease', async () => {
    for (const token of ['holder', 'another']) {
      const { time, holder, state, watch } = setUp()
      const watched = watch()
      await time.advance(10)
      state.lease = leaseOf(token, holder)
      await time.advance(30)
      await expect(watched).resolves.toEqual({ lease: state.lease, free: false })
    }
  })

  it('finds that a lease was given back', async () => {
    const { time, state, watch } = setUp()
    const watched = watch()
    state.lease = undefined
    await time.advance(30)
    await expect(watched).resolves.toEqual({ lease: undefined, free: true })
  })

  it('never takes the lease of a holder that renews in time, whatever the clocks', async () => {
    for (const ahead of [-1_000_000, -50, 0, 20]) {
      const { time, holder, state, watch } = setUp({ ahead })
      const renew = async () => {
        state.lease = leaseOf('holder', holder)
      }
      const stop = repeat(LEASE_MS / 4, renew, () => {}, time.timers)
      for (let round = 0; round < 10; round++) {
        const watched = watch()
        await time.advance(LEASE_MS)
        await expect(watched).resolves.toMatchObject({ free: false })
      }
      stop()
    }
  })
})
