import process from 'node:process'

const USUAL_SEED = 20260101

/** How many times more than usual random tests try, as `MINIONS_FUZZ` says; 1 unless it is set. */
export function fuzzFactor(): number {
  const factor = Number(process.env.MINIONS_FUZZ ?? 1)
  return Number.isFinite(factor) && factor > 1 ? factor : 1
}

/**
 * How often a property is tried: on the same input each time, unless more is asked for. `MINIONS_FUZZ_SEED` repeats what
 * was tried on fresh input.
 */
export function budget(runs: number): { numRuns: number; seed: number } {
  const factor = fuzzFactor()
  const fresh = Number(process.env.MINIONS_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
  return { numRuns: Math.round(runs * factor), seed: factor > 1 ? fresh : USUAL_SEED }
}

/** Says how far a long run has come; an ordinary one is silent. */
export function tellProgress(line: string): void {
  if (fuzzFactor() > 1) process.stdout.write(`${line}\n`)
}
