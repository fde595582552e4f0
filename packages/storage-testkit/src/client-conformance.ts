import { guarded } from '@minions/core/plugin'
import { clientCases } from './client/cases.js'
import type { ConformanceOptions } from './options.js'
import { register } from './register.js'

/** Registers vitest tests that show whether the `Minions` client works on a backend. Call it in a test file. */
export const clientConformance = guarded('clientConformance', (options: ConformanceOptions): void => {
  register('client', clientCases, options)
})
