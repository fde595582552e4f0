import { describe, it } from 'vitest'
import { fuzzFactor } from './budget.js'
import { type ConformanceCase, runCase } from './case.js'
import { Skipped } from './context.js'
import type { ConformanceOptions } from './options.js'

/** Registers a vitest test for every case, in a `describe` for each group. */
export function register(title: string, cases: readonly ConformanceCase[], options: ConformanceOptions): void {
  const timeout = (options.timeout ?? 60_000) * fuzzFactor()
  describe(`${options.name}: ${title}`, () => {
    for (const group of new Set(cases.map((testCase) => testCase.group))) {
      describe(group, () => {
        for (const testCase of cases.filter((candidate) => candidate.group === group)) {
          it(testCase.name, { timeout }, async ({ skip, task }) => {
            try {
              await runCase(testCase, options)
            } catch (error) {
              if (!(error instanceof Skipped)) throw error
              // Reports carry a test's metadata, but not the note of a skip.
              Object.assign(task.meta, { needs: error.message })
              skip(error.message)
            }
          })
        }
      })
    }
  })
}
