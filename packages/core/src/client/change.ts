import type { Minion } from '../schemas/minion.js'
import type { Relation } from '../schemas/relation.js'
import type { StoreTransaction } from '../storage/access.js'

/** What happens to a minion: `purged` is removed for good, `migrated` is carried along by an evolution of its type. */
export type ChangeKind = 'created' | 'updated' | 'deleted' | 'restored' | 'purged' | 'migrated' | 'imported'

/** A change of one minion, inside the transaction that makes it. */
export interface MinionChange {
  readonly kind: ChangeKind
  readonly minionId: string
  /** As it was stored; undefined when it is new. */
  readonly before: Minion | undefined
  /** As it is stored now; undefined when it is gone. */
  readonly after: Minion | undefined
  /** When, as an RFC 3339 timestamp. */
  readonly at: string
  /** Who does it, if that was said. */
  readonly by: string | undefined
}

/** Takes part in the transaction of a change: what it writes through `tx` is committed with it, and throwing undoes it. */
export type OnChange = (change: MinionChange, tx: StoreTransaction) => void | Promise<void>

/** Takes part in the transaction that links two minions: called once the relation is written, and throwing undoes it. */
export type OnLink = (relation: Relation, tx: StoreTransaction) => void | Promise<void>

/** Takes part in the transaction that removes a relation, also one that goes with a purged minion. */
export type OnUnlink = (relation: Relation, tx: StoreTransaction) => void | Promise<void>

/** Minions and relations that an import has added, inside its transaction. */
export interface ImportedRecords {
  readonly minions: readonly Minion[]
  readonly relations: readonly Relation[]
}

/** Takes part in the transaction of an import: called once, when everything is written; throwing undoes it. */
export type OnImport = (imported: ImportedRecords, tx: StoreTransaction) => void | Promise<void>
