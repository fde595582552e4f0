// Stands in for fast-check in tests. Usually the same input is tried every time, so that a suite fails for what was changed
// and not by chance. While `MINIONS_FUZZ` is set, properties are tried more often and on fresh input, whatever number of runs
// and seed the test fixes. A failure prints its seed, which `MINIONS_FUZZ_SEED` repeats.
import { env } from 'node:process'
import fc from 'fast-check'

const usualRuns = 100
const factor = Number(env.MINIONS_FUZZ ?? 1)
/** For tests that fix no seed of their own. */
const usualSeed = 20_261_117
const isFuzzing = factor > 1
if (!isFuzzing) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: usualSeed })

/** What a test asked for, with more runs and another seed. */
export function moreRuns<P extends { numRuns?: number; seed?: number }>(parameters?: P): P {
  const seed = Number(env.MINIONS_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const numRuns = Math.round((parameters?.numRuns ?? usualRuns) * factor)
  return { ...parameters, numRuns, seed } as P
}

const assertMore = ((property, parameters) => fc.assert(property, moreRuns(parameters))) as typeof fc.assert

const checkMore = ((property, parameters) => fc.check(property, moreRuns(parameters))) as typeof fc.check

const sampleMore: typeof fc.sample = (generator, parameters) =>
  fc.sample(generator, moreRuns(typeof parameters === 'number' ? { numRuns: parameters } : parameters))

export const assert = isFuzzing ? assertMore : fc.assert
export const check = isFuzzing ? checkMore : fc.check
export const sample = isFuzzing ? sampleMore : fc.sample

export * from 'fast-check'
export default { ...fc, assert, check, sample }
