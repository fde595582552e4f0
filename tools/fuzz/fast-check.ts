// Stands in for fast-check in tests while `MINIONS_FUZZ` is set: the same, but properties are tried more often and on
// fresh input, whatever number of runs and seed the test fixes. A failure prints its seed, which `MINIONS_FUZZ_SEED` repeats.
import { env } from 'node:process'
import fc from 'fast-check'

const usualRuns = 100
const factor = Number(env.MINIONS_FUZZ ?? 1)

/** What a test asked for, with more runs and another seed. */
export function moreRuns<P extends { numRuns?: number; seed?: number }>(parameters?: P): P {
  const seed = Number(env.MINIONS_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const numRuns = Math.round((parameters?.numRuns ?? usualRuns) * factor)
  return { ...parameters, numRuns, seed } as P
}

export const assert = ((property, parameters) => fc.assert(property, moreRuns(parameters))) as typeof fc.assert

export const check = ((property, parameters) => fc.check(property, moreRuns(parameters))) as typeof fc.check

export const sample: typeof fc.sample = (generator, parameters) =>
  fc.sample(generator, moreRuns(typeof parameters === 'number' ? { numRuns: parameters } : parameters))

export * from 'fast-check'
export default { ...fc, assert, check, sample }
