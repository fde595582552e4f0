import { MinionsError } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import type { StorageBackend } from '@minions/core/storage'
import { decorate } from './decorate.js'

/**
 * A backend whose nth transaction, counted from 1, is not executed if `fails(n)`, as when the store becomes
 * unavailable.
 */
export const failing = guarded('failing', (backend: StorageBackend, fails: (transaction: number) => boolean) => {
  let count = 0
  return decorate(backend, {
    async transaction(work) {
      count += 1
      if (fails(count)) throw new MinionsError('STORAGE_UNAVAILABLE', 'The store went away, as a test wanted it to.')
      return backend.transaction(work)
    },
  })
})
