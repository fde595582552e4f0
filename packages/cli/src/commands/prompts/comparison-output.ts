import type { Comparison } from '@minions/prompts'
import { table } from '../../output/output.js'

export function comparisonText({ dimensions, verdict }: Pick<Comparison, 'dimensions' | 'verdict'>): string {
  const lines = table(dimensions, 'Nothing to show.', {
    dimension: 'dimension',
    tests: 'n',
    'b − a': (row) => Number(row.meanDifference.toFixed(2)),
    p: (row) => Number(row.adjustedPValue.toFixed(4)),
    verdict: 'verdict',
  })
  return `${lines}\n\nverdict: ${verdict}`
}
