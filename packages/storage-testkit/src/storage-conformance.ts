import { guarded } from '@minions/core/plugin'
import type { ConformanceOptions } from './options.js'
import { register } from './register.js'
import { storageCases } from './storage/cases.js'

/** Registers vitest tests that show whether a backend keeps the storage contract. Call it in a test file. */
export const storageConformance = guarded('storageConformance', (options: ConformanceOptions): void => {
  register('storage', storageCases, options)
})
