import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'

/** The error of a write that expected another state of a record: `current` is its revision, null when there is none. */
export const writeConflict = guarded(
  'writeConflict',
  (collection: string, key: string, expect: string | null | undefined, current: string | null): Error => {
    const message =
      expect === null
        ? `"${key}" already exists in "${collection}".`
        : `"${key}" in "${collection}" has changed since it was read; read it again and repeat the change.`
    return coreError('CONFLICT', message, { details: { collection, key, current } })
  },
)
