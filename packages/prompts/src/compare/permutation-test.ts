import type { RandomSource } from './random.js'

/** Up to this many pairs the test is exact; beyond it, sampled. */
const EXACT_PAIRS = 256
const SAMPLES = 9_999

/**
 * Two-sided p-value of the paired permutation test: if a and b were equally good, each difference could as well have had
 * the other sign; how often is the sum at least as far from zero as the one observed? Differences are integers.
 */
export function permutationPValue(differences: readonly number[], random: RandomSource): number {
  const sizes = differences.map(Math.abs).filter((size) => size > 0)
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0))
  if (sizes.length === 0 || observed === 0) return 1
  return sizes.length <= EXACT_PAIRS ? exact(sizes, observed) : sampled(sizes, observed, random)
}

/**
 * The distribution of the sum over all choices of signs, one difference added at a time. `chance[s]` is the chance that
 * the positive ones add up to `s`; the signed sum is then `2s - total`.
 */
function exact(sizes: readonly number[], observed: number): number {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const chance = new Float64Array(total + 1)
  chance[0] = 1
  let reach = 0
  for (const size of sizes) {
    reach += size
    for (let sum = reach; sum >= 0; sum--) {
      const before = sum >= size ? (chance[sum - size] as number) : 0
      chance[sum] = ((chance[sum] as number) + before) / 2
    }
  }
  let extreme = 0
  for (let sum = 0; sum <= total; sum++) if (Math.abs(2 * sum - total) >= observed) extreme += chance[sum] as number
  return Math.min(1, extreme)
}

/** The observed signs count as one sample, which keeps the sampled test from ever claiming too much. */
function sampled(sizes: readonly number[], observed: number, random: RandomSource): number {
  let extreme = 1
  for (let sample = 0; sample < SAMPLES; sample++) {
    let sum = 0
    let bits = 0
    for (let index = 0; index < sizes.length; index++) {
      if (index % 32 === 0) bits = random()
      sum += bits & 1 ? (sizes[index] as number) : -(sizes[index] as number)
      bits >>>= 1
    }
    if (Math.abs(sum) >= observed) extreme++
  }
  return extreme / (SAMPLES + 1)
}
