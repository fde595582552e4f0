import type { Minion } from '../../schemas/minion.js'
import type { Relation } from '../../schemas/relation.js'
import type { StoreTransaction } from '../../storage/access.js'

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

export type OnChange = (change: MinionChange, tx: StoreTransaction) => void | Promise<void>

export type OnLink = (relation: Relation, tx: StoreTransaction) => void | Promise<void>

export type OnUnlink = OnLink

/** Minions and relations that an import added, inside its transaction. */
export interface ImportedRecords {
  readonly minions: readonly Minion[]
  readonly relations: readonly Relation[]
}

export type OnImport = (imported: ImportedRecords, tx: StoreTransaction) => void | Promise<void>

/** Take part in the transaction of a change: what they write through `tx` is committed with it, and throwing undoes it. */
export interface ChangeHooks {
  /** Called for every change to a minion; for a plugin even before `setup`, when opening the store finishes an evolution. */
  readonly onChange?: OnChange | undefined
  /** Called for every new relation, once it is written; not for imports. */
  readonly onLink?: OnLink | undefined
  /** Called for every removed relation, including one removed together with a purged minion. */
  readonly onUnlink?: OnUnlink | undefined
  /** Called once for every import, with what it added. */
  readonly onImport?: OnImport | undefined
}
