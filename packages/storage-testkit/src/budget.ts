import process from 'node:process'

const USUAL_SEED = 20260101

/** Factor by which random tests run more often, from `MINIONS_FUZZ`; default 1. */
export function fuzzFactor(): number {
  const factor = Number(process.env.MINIONS_FUZZ ?? 1)
  return Number.isFinite(factor) && factor > 1 ? factor : 1
}

/**
 * Number of runs of a property: on the same input each time, unless more are requested. `MINIONS_FUZZ_SEED` repeats a
 * run on fresh input.
 */
export function budget(runs: number): { numRuns: number; seed: number } {
  const factor = fuzzFactor()
  const fresh = Number(process.env.MINIONS_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
  return { numRuns: Math.round(runs * factor), seed: factor > 1 ? fresh : USUAL_SEED }
}

/** Reports the progress of a long run; an ordinary one is silent. */
export function tellProgress(line: string): void {
  if (fuzzFactor() > 1) process.stdout.write(`${line}\n`)
}
