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
    const { declaration, name } = collection
    if (!stored) return 'create'
    const { version } = declaration
    const refusal = (problem: string) =>
      coreError('STORAGE_VERSION', `The collection "${name}" ${problem}.`, {
        details: { collection: name, stored: stored.version, known: version },
      })
    if (stored.version > version || stored.foldVersion > declaration.foldVersion) {
      const known = `but this program knows only version ${version}; upgrade the program`
      throw refusal(`was written in version ${stored.version}, ${known}`)
    }
    if (stored.version < version) return 'upgrade'
    if (!jsonEqual({ ...stored, foldVersion: declaration.foldVersion }, declaration)) {
      const advice = 'raise the version of the declaration'
      throw refusal(`is declared differently from the store's version ${stored.version}; ${advice}`)
    }
    return stored.foldVersion === declaration.foldVersion ? 'none' : 'upgrade'
  },
)
