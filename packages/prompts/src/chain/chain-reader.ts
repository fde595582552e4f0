import { everyPage, type MinionsAccess, type Relation, type RelationType } from '@minions/core'
import { minionsCollection, relationsCollection, type StoreReader } from '@minions/core/storage'
import { isPrompt, loadPrompts, type PromptMinion } from './prompt-minion.js'

/** The end of a relation to search by. */
type RelationEnd = 'sourceIds' | 'targetIds'

/** Reads the two parts of a chain, each in one query regardless of the number of ids. */
export interface ChainReader {
  /** All relations of some types that begin, or end, at some minions. */
  relations(end: RelationEnd, ids: readonly string[], types: readonly RelationType[]): Promise<Relation[]>
  /** The prompts and versions among the ids, including deleted ones, oldest first. */
  prompts(ids: readonly string[]): Promise<PromptMinion[]>
}

/** Reads through the client, in the current shape of the types. */
export function clientReader(client: MinionsAccess): ChainReader {
  return {
    async relations(end, ids, types) {
      if (ids.length === 0) return []
      const query = { [end]: ids, types, includeDeleted: true, limit: 100_000 }
      return everyPage((next) => client.findRelations({ ...query, ...next }))
    },
    prompts: (ids) => loadPrompts(client, ids),
  }
}

/** Reads stored records, for hooks, which have the store's transaction but no client. */
export function storeReader(store: StoreReader): ChainReader {
  return {
    async relations(end, ids, types) {
      if (ids.length === 0) return []
      const field = end === 'sourceIds' ? 'sourceId' : 'targetId'
      const where = { [field]: anyOf(ids), type: anyOf(types) }
      return everyPage((next) => store.find(relationsCollection, { where, limit: 100_000, ...next }))
    },
    async prompts(ids) {
      if (ids.length === 0) return []
      const where = { id: { in: ids } }
      const found = await everyPage((next) => store.find(minionsCollection, { where, limit: 100_000, ...next }))
      return found.filter(isPrompt)
    },
  }
}

/** A single value is compared rather than looked up in a list, so that every backend uses its index. */
function anyOf(values: readonly string[]): string | { readonly in: readonly string[] } {
  const [only] = values
  return values.length === 1 && only !== undefined ? only : { in: values }
}
