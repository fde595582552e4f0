import process from 'node:process'

/** How many times more than usual random tests try, as `MINIONS_FUZZ` says; 1 unless it is set. */
export function fuzzFactor(): number {
  const factor = Number(process.env.MINIONS_FUZZ ?? 1)
  return Number.isFinite(factor) && factor > 1 ? factor : 1
}

/** How often a property is tried: on the same input each time, unless more is asked for. */
export function budget(runs: number): { numRuns: number; seed: number } {
  const factor = fuzzFactor()
  const seed = factor > 1 ? Math.floor(Math.random() * 2 ** 31) : 20260101
  return { numRuns: Math.round(runs * factor), seed }
}
