import type { Comparison } from '@minions/prompts'
import { table } from '../../output/output.js'

/** A comparison for people. */
export function comparisonText({ dimensions, verdict }: Pick<Comparison, 'dimensions' | 'verdict'>): string {
  const lines = table(dimensions, {
    dimension: (row) => row.dimension,
    tests: (row) => row.n,
    'b − a': (row) => Number(row.meanDifference.toFixed(2)),
    p: (row) => Number(row.adjustedPValue.toFixed(4)),
    verdict: (row) => row.verdict,
  })
  return `${lines}\n\nverdict: ${verdict}`
}
