import { guarded } from '@minions/core/plugin'
/** Number of results that passed. */
export interface TestSummary {
  readonly passed: number
  readonly failed: number
}

interface Judged {
  readonly fields: { readonly passed: boolean }
}

/** Counts results by their verdict. */
export const summaryOf = guarded('summaryOf', (results: readonly Judged[]): TestSummary => {
  const passed = results.filter(({ fields }) => fields.passed).length
  return { passed, failed: results.length - passed }
})

/** The line that ends a run: `3 passed, 1 failed`. */
export const summaryLine = guarded('summaryLine', ({ passed, failed }: TestSummary): string => {
  const parts = [...(passed > 0 ? [`${passed} passed`] : []), ...(failed > 0 ? [`${failed} failed`] : [])]
  return parts.length > 0 ? parts.join(', ') : 'no tests'
})
