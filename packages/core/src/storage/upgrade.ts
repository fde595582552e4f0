import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { jsonEqual } from '../json/equal.js'
import type { Collection } from './collection.js'
import type { CollectionDeclaration } from './declaration.js'

/**
 * What opening a store must do for a collection, given what its catalogue says: create it, pass its records through
 * `collection.upgrade`, or nothing. Throws `STORAGE_VERSION` when the store is newer or contradicts the declaration.
 */
export const planUpgrade = guarded('planUpgrade', planUpgradeUnchecked)

function planUpgradeUnchecked(
  collection: Collection,
  stored: CollectionDeclaration | undefined,
): 'create' | 'upgrade' | 'none' {
  const { declaration } = collection
  if (!stored) return 'create'
  if (stored.version > declaration.version || stored.foldVersion > declaration.foldVersion) {
    throw coreError(
      'STORAGE_VERSION',
      `The collection "${collection.name}" was written in version ${stored.version}, this program knows version ${declaration.version}; upgrade it.`,
      { details: { collection: collection.name, stored: stored.version, known: declaration.version } },
    )
  }
  if (stored.version < declaration.version) return 'upgrade'
  if (!jsonEqual({ ...stored, foldVersion: declaration.foldVersion }, declaration)) {
    throw coreError(
      'STORAGE_VERSION',
      `The collection "${collection.name}" is declared otherwise than the store has it under the same version ${stored.version}; raise the version of the declaration.`,
      { details: { collection: collection.name, stored: stored.version, known: declaration.version } },
    )
  }
  return stored.foldVersion === declaration.foldVersion ? 'none' : 'upgrade'
}
