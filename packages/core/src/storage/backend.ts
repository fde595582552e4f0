import type { JsonObject, JsonScalar } from '../json/json-value.js'
import type { ChangesRequest, StorageChangePage } from './changes/feed.js'
import type { Collection } from './collection.js'
import type { CollectionDeclaration } from './declaration.js'
import type { Path } from './path.js'

/** The value of a declared column, extracted by core. */
export type ColumnValue = JsonScalar | readonly string[]

/** A stored record: the document, and a revision that no other write ever had. */
export interface StoredRecord {
  readonly key: string
  readonly revision: string
  readonly record: JsonObject
  /**
   * The version of the data that was read, where the backend has it at hand: two reads of the same version have seen the
   * same data. Where there is a `dataVersion`, what it would have returned at that moment.
   */
  readonly version?: DataVersion | undefined
}

export type DataVersion = number | string

/** A stored record, with its JSON text where the backend has it at hand. */
export interface RecordText extends StoredRecord {
  /** The document as it was written: JSON in canonical order without white space. */
  readonly json?: string
}

/** One record to write, with all values extracted from it that a backend indexes or constrains. */
export interface RecordWrite extends StoredRecord {
  /** In the order of `declaration.columns`. */
  readonly columns: readonly ColumnValue[]
  /** Key of the record that each of `declaration.references` points to, null where there is none. */
  readonly references: readonly (string | null)[]
  /**
   * Distinct folded words of the record's text; empty when the collection has no text. They may be computed lazily by a
   * getter, so read the property: spreading a write loses it.
   */
  readonly words: readonly string[]
  /** The revision the record must currently have; null: it must not exist; undefined: either. */
  readonly expect?: string | null
}

/** One record to remove. */
export interface RecordDelete {
  readonly key: string
  /** The revision the record must currently have; undefined: any. With a revision, a missing record is a conflict. */
  readonly expect?: string
}

/** A record that must be unchanged, and is not written. */
export interface RecordCheck {
  readonly key: string
  /** The revision the record must currently have; null: it must not exist. */
  readonly expect: string | null
}

/** The part of a batch for one collection. No key occurs twice. */
export interface CollectionWrites {
  readonly collection: string
  readonly puts: readonly RecordWrite[]
  readonly deletes: readonly RecordDelete[]
  readonly checks: readonly RecordCheck[]
}

/** Returns the write that replaces a claimed record: same key, expecting the given revision. */
export type ClaimChange = (stored: StoredRecord) => RecordWrite

/** The operand of a condition or order. At most one of `column` and `key` is set: a faster way to the value. */
export interface Operand {
  readonly path: Path
  /** Index into `declaration.columns` when the path is a declared column. */
  readonly column?: number
  /** The path is the only key property. */
  readonly key?: true
}

/**
 * A condition. Every condition is either true or false of a record, never unknown: a comparison is true only of values
 * of the JSON type of its own value, so `ne 'x'` is true only of other strings, and `not` turns any false into true.
 * `isNull` is true of null and of missing values. `contains` is true of arrays with such an element.
 */
export type Condition =
  | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }
  | {
      readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'
      readonly operand: Operand
      readonly value: Exclude<JsonScalar, null>
    }
  /** All values are of one type; core splits mixed lists. The list may hold thousands of values, or none. */
  | { readonly op: 'in'; readonly operand: Operand; readonly values: readonly Exclude<JsonScalar, null>[] }
  | { readonly op: 'isNull'; readonly operand: Operand }
  | { readonly op: 'contains'; readonly operand: Operand; readonly value: JsonScalar }

export type Direction = 'asc' | 'desc'

export interface OrderTerm {
  readonly operand: Operand
  readonly direction: Direction
}

/** Selects records to count: a condition, and words, each of which must be a prefix of a word of the record. */
export interface Selection {
  readonly where?: Condition
  readonly words: readonly string[]
}

/** A validated query with all defaults filled in. */
export interface QueryPlan extends Selection {
  /**
   * Ascending: missing and null, then false, true, numbers, strings by code point; descending: the exact reverse.
   * Objects and arrays count as null here.
   */
  readonly order: readonly OrderTerm[]
  /** Direction of the key, which breaks ties. */
  readonly keyDirection: Direction
  /** Continue after this position: one value for each term of the order, and the key. */
  readonly after?: { readonly values: readonly JsonScalar[]; readonly key: string }
  /** Maximum number of records; at least 1. */
  readonly limit: number
}

/** Called after commits, with the names of all collections that they changed if those are known. */
export type Wake = (collections?: ReadonlySet<string>) => void

/** Capabilities of a backend beyond the minimum. Using one that is off rejects with `CAPABILITY_MISSING`. */
export interface StorageCapabilities {
  /** Other processes may write to the store while it is open here, so earlier reads may be stale. */
  readonly shared: boolean
  /** `count` works without reading every record. If off, core counts by reading. */
  readonly count: boolean
  /** Queries may use `words`. If off, searches are refused. */
  readonly search: boolean
  /** The store keeps a feed of its changes: `changes` and `watchChanges` work. Default: off. */
  readonly changes?: boolean
  /** `claim` skips records that others are taking. If off or left out, core claims in a transaction. */
  readonly claim?: boolean
}

/**
 * Read access, inside a transaction or outside. Returned values belong to the caller; changing them has no effect here.
 * Property names come in the order in which they were written, the canonical one; where a database uses another,
 * `inKeyOrder` restores it.
 */
export interface StorageReader {
  /** Records by key, in the requested order, `undefined` where there is none. */
  get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]>
  query(collection: string, plan: QueryPlan): Promise<StoredRecord[]>
  count(collection: string, selection: Selection): Promise<number>
}

/**
 * Write access, inside a transaction. Reads see the transaction's own writes. Core calls one method at a time and none
 * after an error, so a backend need not recover inside a transaction.
 */
export interface StorageTransaction extends StorageReader {
  /**
   * Writes records in order. Throws `CONFLICT` (details `collection`, `key`, `current`: revision or null) when `expect`
   * does not hold, and `UNIQUE_VIOLATION` (details `collection`, `key`, `columns`) at the latest at commit.
   */
  put(collection: string, writes: readonly RecordWrite[]): Promise<void>
  /** Removes records; false where there was none. */
  delete(collection: string, deletes: readonly RecordDelete[]): Promise<boolean[]>
}

/**
 * An item in the store that was set aside instead of used: a damaged file, a broken reference. Not an `Issue` of a value, but
 * an error that nothing had to throw, with its code and details.
 */
export interface StorageProblem {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * A storage backend. Eight methods carry everything that Minions persists, and three more can make it faster; core does
 * the rest: validation, copying, column extraction, text folding, query defaults, cursors, revisions, deadlines and events.
 *
 * Rules that types cannot express, all verified by `@minions/storage-testkit`:
 * - Creating a backend has no side effects; `open` has. `close` is idempotent and waits for running transactions.
 * - A transaction is serialisable and all-or-nothing over all collections, even when the process dies. When `transaction`
 *   has resolved, the writes are as durable as the backend ever makes them. Nothing is visible outside before that.
 * - `work` may run again after a collision with another writer. If it rejects, everything is rolled back and
 *   `transaction` rejects with the same error.
 * - References are checked at commit: `REFERENCE_VIOLATION` (details `collection`, `key`, `reference`: the referenced
 *   collection) if a reference of a written record, or to a removed record, is dangling. Order inside does not matter.
 * - Errors are `MinionsError`s with the codes of `CORE_ERROR_CODES`; a driver's own error is the `cause`.
 */
export interface StorageBackend extends StorageReader {
  /** Name for messages, e.g. `sqlite`. */
  readonly name: string
  readonly capabilities: StorageCapabilities
  /**
   * Opens the store and ensures that it has these collections. In one step that two processes cannot both do: creates
   * missing ones; for a collection stored with a lower version or another `foldVersion`, passes every record through
   * `collection.upgrade` and stores the result. A higher version, or another declaration under the same version, is
   * refused with `STORAGE_VERSION`, and an upgrade that would break a constraint with the code of that constraint; then
   * nothing has changed. Collections that are in the store but not in the list stay as they are: readable, with their
   * constraints enforced. An open store may be opened again with more collections.
   */
  open(collections: readonly Collection[]): Promise<void>
  close(): Promise<void>
  /**
   * The record that `get` would find, at once: null if there is none, undefined if it has to be waited for. Spares the
   * many reads of a store that has its data at hand their promises; absent where every read waits.
   */
  getNow?(collection: string, key: string): RecordText | null | undefined
  transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T>
  /**
   * Applies a whole batch at one moment, at which every expectation and check holds, or rejects as a transaction with
   * the same writes would. Since it reads nothing, it waits for others that write the same records but never has to be
   * retried because of what they read. A unique value freed by a batch cannot be taken in the same batch. Absent where
   * a transaction performs equally well.
   */
  write?(batch: readonly CollectionWrites[]): Promise<void>
  /**
   * Replaces up to `plan.limit` matching records with the result of `change`, in the order of the plan, and resolves to
   * the new records. Concurrent claims never take the same record, and do not wait for each other: a record that
   * another is writing is skipped. `change` may be called again. Requires the capability `claim`.
   */
  claim?(collection: string, plan: QueryPlan, change: ClaimChange): Promise<StoredRecord[]>
  /** Declarations of all collections in the store, by name. */
  catalogue(): Promise<CollectionDeclaration[]>
  /**
   * A number that differs from every earlier one once anything was committed since, by any process. Lets callers cache
   * what they have read; absent where determining it takes as long as reading.
   */
  readonly dataVersion?: (() => number) | undefined
  /** Damaged data that was found and set aside; absent if that cannot happen. */
  problems?(): Promise<StorageProblem[]>
  /**
   * Committed changes after a position, oldest first: each exactly once, whichever process committed it, and those of
   * one record in commit order. Several writes to a record in one transaction are one change, with the outcome; records
   * rewritten by an upgrade count as changed. Positions outlive the process. A position that the feed no longer reaches
   * back to throws `CHANGES_EXPIRED`, an invalid one `INVALID_CURSOR`.
   *
   * A change is written in the transaction of its record, so that neither can exist without the other. `ChangeNotes`,
   * `readChanges` and `Retention` do most of it.
   */
  readonly changes?: ((request: ChangesRequest) => Promise<StorageChangePage>) | undefined
  /**
   * Calls `wake` after commits of any process, within 250 ms, or two seconds if that process died meanwhile, and sometimes
   * without one; returns a function that stops it. Wakes once more when the backend is closed.
   */
  readonly watchChanges?: ((wake: Wake) => () => void) | undefined
}
