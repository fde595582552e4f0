import type { Plugin } from '@minions/core/plugin'
import { type Collection, clientCollections } from '@minions/core/storage'
import { hostError } from '../errors.js'

/** All collections besides the client's own. Throws when two have the same name. */
export function gatherCollections(plugins: readonly Plugin[], given: readonly Collection[]): Collection[] {
  const owners = new Map<string, string>(clientCollections.map(({ name }) => [name, '@minions/core']))
  const all: Collection[] = []
  const add = (owner: string, collections: readonly Collection[]): void => {
    for (const collection of collections) {
      const other = owners.get(collection.name)
      if (other !== undefined) {
        const message = `"${other}" and "${owner}" both declare a collection "${collection.name}"; one of them must rename it.`
        throw hostError('COLLECTION_CLASH', message, {
          details: { plugins: [other, owner], collection: collection.name },
        })
      }
      owners.set(collection.name, owner)
      all.push(collection)
    }
  }
  add('the app', given)
  for (const { ref, collections = [] } of plugins) add(ref.name, collections)
  return all
}
