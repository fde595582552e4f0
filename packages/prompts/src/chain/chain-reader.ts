import { everyPage, type MinionsAccess, type Relation, type RelationType } from '@minions/core'
import { minionsCollection, relationsCollection, type StoreReader } from '@minions/core/storage'
import { isPrompt, loadPrompts, type PromptMinion } from './prompt-minion.js'

/** Which end of a relation is asked for. */
type RelationEnd = 'sourceIds' | 'targetIds'

/** Reads the two things that chains consist of, each in one query, however many ids there are. */
export interface ChainReader {
  /** All relations of some types that begin, or end, at some minions. */
  relations(end: RelationEnd, ids: readonly string[], types: readonly RelationType[]): Promise<Relation[]>
  /** Those of the ids that are prompts or versions, deleted ones too, oldest first. */
  prompts(ids: readonly string[]): Promise<PromptMinion[]>
}

/** Reads as the client gives it, with types as they are now. */
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

/** Reads as it is stored, for hooks, which have the transaction of the store and not a client. */
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

/** One value is compared, not looked up in a list, so that every backend finds it by its index. */
function anyOf(values: readonly string[]): string | { readonly in: readonly string[] } {
  const [only] = values
  return values.length === 1 && only !== undefined ? only : { in: values }
}
