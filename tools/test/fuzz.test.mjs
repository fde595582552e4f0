// @ts-check
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

it('a property without a seed is tried on the same input every time', async () => {
  vi.stubEnv('MINIONS_FUZZ', undefined)
  const { default: fc } = await import('../fuzz/fast-check.ts')
  /** @returns {number[]} */
  const tried = () => {
    /** @type {number[]} */
    const values = []
    fc.assert(fc.property(fc.integer(), (value) => void values.push(value)))
    return values
  }
  expect(tried()).toEqual(tried())
})

it('while fuzzing, properties are tried more often and on fresh input', async () => {
  vi.stubEnv('MINIONS_FUZZ', '5')
  const { default: fc, moreRuns } = await import('../fuzz/fast-check.ts')
  let runs = 0
  fc.assert(
    fc.property(fc.integer(), () => {
      runs++
    }),
    { numRuns: 20, seed: 1 },
  )
  expect(runs).toBe(100)
  expect(fc.sample(fc.integer(), 3)).toHaveLength(15)
  const seed = () => moreRuns({ seed: 1 }).seed
  expect(seed()).not.toBe(seed())
})

it('a seed that a failure printed is used again', async () => {
  vi.stubEnv('MINIONS_FUZZ', '2')
  vi.stubEnv('MINIONS_FUZZ_SEED', '77')
  const { moreRuns } = await import('../fuzz/fast-check.ts')
  expect(moreRuns({ numRuns: 10, seed: 1 })).toEqual({ numRuns: 20, seed: 77 })
})
