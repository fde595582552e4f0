import type { Minion } from '../schemas/minion.js'
import type { Relation } from '../schemas/relation.js'
import type { StoreTransaction } from '../storage/access.js'

/** Kind of change to a minion: `purged` is removed permanently, `migrated` is rewritten by an evolution of its type. */
export type ChangeKind = 'created' | 'updated' | 'deleted' | 'restored' | 'purged' | 'migrated' | 'imported'

/** A change to one minion, inside the transaction that makes it. */
export interface MinionChange {
  readonly kind: ChangeKind
  readonly minionId: string
  /** The stored state before the change; undefined when the minion is new. */
  readonly before: Minion | undefined
  /** The stored state after the change; undefined when the minion was removed. */
  readonly after: Minion | undefined
  /** RFC 3339 timestamp. */
  readonly at: string
  /** The author, if known. */
  readonly by: string | undefined
}

/** Takes part in the transaction of a change: what it writes through `tx` is committed with it, and throwing undoes it. */
export type OnChange = (change: MinionChange, tx: StoreTransaction) => void | Promise<void>

/** Takes part in the transaction that links two minions: called once the relation is written, and throwing undoes it. */
export type OnLink = (relation: Relation, tx: StoreTransaction) => void | Promise<void>

/** Takes part in the transaction that removes a relation, including one removed together with a purged minion. */
export type OnUnlink = (relation: Relation, tx: StoreTransaction) => void | Promise<void>

/** Minions and relations that an import added, inside its transaction. */
export interface ImportedRecords {
  readonly minions: readonly Minion[]
  readonly relations: readonly Relation[]
}

/** Takes part in the transaction of an import: called once, when everything is written; throwing undoes it. */
export type OnImport = (imported: ImportedRecords, tx: StoreTransaction) => void | Promise<void>
