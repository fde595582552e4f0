import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { jsonEqual } from '../json/equal.js'
import type { Collection } from './collection.js'
import type { CollectionDeclaration } from './declaration.js'

/**
 * The action for a collection when a store is opened, given its catalogue entry: create it, pass its records through
 * `collection.upgrade`, or nothing. Throws `STORAGE_VERSION` when the store is newer or contradicts the declaration.
 */
export const planUpgrade = guarded(
  'planUpgrade',
  (collection: Collection, stored: CollectionDeclaration | undefined): 'create' | 'upgrade' | 'none' => {
    const { declaration } = collection
    if (!stored) return 'create'
    if (stored.version > declaration.version || stored.foldVersion > declaration.foldVersion) {
      throw coreError(
        'STORAGE_VERSION',
        `The collection "${collection.name}" was written in version ${stored.version}, but this program knows only version ${declaration.version}; upgrade the program.`,
        { details: { collection: collection.name, stored: stored.version, known: declaration.version } },
      )
    }
    if (stored.version < declaration.version) return 'upgrade'
    if (!jsonEqual({ ...stored, foldVersion: declaration.foldVersion }, declaration)) {
      throw coreError(
        'STORAGE_VERSION',
        `The collection "${collection.name}" is declared differently from the store's version ${stored.version}; raise the version of the declaration.`,
        { details: { collection: collection.name, stored: stored.version, known: declaration.version } },
      )
    }
    return stored.foldVersion === declaration.foldVersion ? 'none' : 'upgrade'
  },
)
