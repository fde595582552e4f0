import type { JsonObject, JsonScalar } from '../json/json-value.js'
import type { ChangesRequest, StorageChangePage } from './changes/feed.js'
import type { Collection } from './collection.js'
import type { CollectionDeclaration } from './declaration.js'
import type { Path } from './path.js'

/** The value of a declared column, as core extracted it. */
export type ColumnValue = JsonScalar | readonly string[]

/** A record as it is stored: the document, and beside it a revision that no other write ever had. */
export interface StoredRecord {
  readonly key: string
  readonly revision: string
  readonly record: JsonObject
}

/** One record to write, with everything extracted from it that a backend indexes or enforces. */
export interface RecordWrite extends StoredRecord {
  /** In the order of `declaration.columns`. */
  readonly columns: readonly ColumnValue[]
  /** Key of the record that each of `declaration.references` leads to, null where there is none. */
  readonly references: readonly (string | null)[]
  /**
   * Distinct folded words of the record's text; empty when the collection has no text. They may be found only when this
   * is read, so take them by name: spreading a write loses them.
   */
  readonly words: readonly string[]
  /** The revision the record must have now; null: it must not exist; undefined: either. */
  readonly expect?: string | null
}

/** One record to remove. */
export interface RecordDelete {
  readonly key: string
  /** The revision the record must have now; undefined: any. With a revision, a missing record is a conflict. */
  readonly expect?: string
}

/** A record that must be as it was, and is not written. */
export interface RecordCheck {
  readonly key: string
  /** The revision the record must have now; null: it must not exist. */
  readonly expect: string | null
}

/** What a batch does to one collection. No key comes twice. */
export interface CollectionWrites {
  readonly collection: string
  readonly puts: readonly RecordWrite[]
  readonly deletes: readonly RecordDelete[]
  readonly checks: readonly RecordCheck[]
}

/** Makes of a record that is being claimed what to write in its place: same key, expecting the revision given. */
export type ClaimChange = (stored: StoredRecord) => RecordWrite

/** What a condition or an order looks at. Exactly one of `column` and `key` may be set, as a faster way to the same value. */
export interface Operand {
  readonly path: Path
  /** Index into `declaration.columns` when the path is a declared column. */
  readonly column?: number
  /** The path is the only property of the key. */
  readonly key?: true
}

/**
 * A condition. Every condition is either true or false of a record, never unknown: a comparison is true only of values
 * of the JSON type of its own value, so `ne 'x'` is true of other strings and of nothing else, and `not` turns any
 * false into true. `isNull` is true of null and of missing values. `contains` is true of arrays with such an element.
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

/** What to count: a condition and words, each of which must be a prefix of a word of the record. */
export interface Selection {
  readonly where?: Condition
  readonly words: readonly string[]
}

/** A query in its final form: checked, with all defaults filled in. */
export interface QueryPlan extends Selection {
  /**
   * Ascending: missing and null, then false, true, numbers, strings by code point; descending: the exact reverse.
   * Objects and arrays count as null here.
   */
  readonly order: readonly OrderTerm[]
  /** Direction of the key, which decides between records that are otherwise equal. */
  readonly keyDirection: Direction
  /** Continue behind this position: one value for each term of the order, and the key. */
  readonly after?: { readonly values: readonly JsonScalar[]; readonly key: string }
  /** At most this many records; at least 1. */
  readonly limit: number
}

/** What a backend can do beyond the minimum. Off means that asking for it rejects with `CAPABILITY_MISSING`. */
export interface StorageCapabilities {
  /** Other processes may write to the store while it is open here, so what was read before may have changed. */
  readonly shared: boolean
  /** `count` answers without reading every record. If off, core counts by reading. */
  readonly count: boolean
  /** `words` in a query are answered. If off, searching is refused. */
  readonly search: boolean
  /** The store keeps a feed of its changes: `changes` and `watchChanges` work. Off unless given. */
  readonly changes?: boolean
  /** `claim` passes over records that others are taking. If off or left out, core claims in a transaction. */
  readonly claim?: boolean
}

/**
 * Reading, inside a transaction or outside. What is returned belongs to the caller; changing it changes nothing here. The
 * names in a record come in the order in which they were written, which is the canonical one; where a database keeps
 * another, `inKeyOrder` restores it.
 */
export interface StorageReader {
  /** Records by key, in the order asked, `undefined` where there is none. */
  get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]>
  query(collection: string, plan: QueryPlan): Promise<StoredRecord[]>
  count(collection: string, selection: Selection): Promise<number>
}

/**
 * Writing, inside a transaction. Reads see the transaction's own writes. Core calls one method at a time and calls no
 * more after an error, so a backend need not recover inside a transaction.
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

/** Something in the store that was set aside instead of used: a damaged file, a broken reference. */
export interface StorageProblem {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * A storage backend. Eight methods carry everything that Minions persists, and two more can make it faster; core does the rest: validation, copying,
 * extraction of columns, folding of text, defaults of queries, cursors, revisions, deadlines and events.
 *
 * Rules that types cannot say, all proven by `@minions/storage-testkit`:
 * - Making a backend touches nothing; `open` does. `close` is idempotent and waits for running transactions.
 * - A transaction is serialisable and all-or-nothing over all collections, also when the process dies. When `transaction`
 *   has resolved, the writes are as durable as the backend ever makes them. Nothing is visible outside before.
 * - `work` may be run again after a collision with another writer. If it rejects, everything is rolled back and
 *   `transaction` rejects with the same error.
 * - References are checked at commit: `REFERENCE_VIOLATION` (details `collection`, `key`, `reference`: the referred
 *   collection) if a reference of a written record, or to a removed record, leads nowhere. Order inside does not matter.
 * - Errors are `MinionsError`s with the codes of `CORE_ERROR_CODES`; a driver's own error is the `cause`.
 */
export interface StorageBackend extends StorageReader {
  /** For messages, e.g. `sqlite`. */
  readonly name: string
  readonly capabilities: StorageCapabilities
  /**
   * Opens the store and makes sure that it has these collections. In one step that two processes cannot both do: creates
   * what is missing; for a collection that the catalogue has with a lower version or another `foldVersion`, passes every
   * record through `collection.upgrade` and stores what comes back. A higher version, or another declaration under the
   * same version, is refused with `STORAGE_VERSION`, and an upgrade that would break a rule with the code of that rule;
   * then nothing has changed. Collections that are in the store but not in the list stay as they are: readable, with
   * their rules enforced. An open store may be opened again, to give it more collections.
   */
  open(collections: readonly Collection[]): Promise<void>
  close(): Promise<void>
  transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T>
  /**
   * Does everything that a batch says at one moment, at which every expectation and check holds, or rejects as a
   * transaction with the same writes would. Since it reads nothing, it waits for others that write the same records but
   * never has to be run again because of what they read. A unique value that a batch frees cannot be taken in it. Absent
   * where a transaction does as well.
   */
  write?(batch: readonly CollectionWrites[]): Promise<void>
  /**
   * Replaces up to `plan.limit` records that match by what `change` makes of them, in the order of the plan, and resolves
   * to what was written. Of two claims at once no record is taken by both, and neither waits for the other: a record that
   * someone else is writing is passed over. `change` may be called again. Only with the capability `claim`.
   */
  claim?(collection: string, plan: QueryPlan, change: ClaimChange): Promise<StoredRecord[]>
  /** Declarations of all collections in the store, by name. */
  catalogue(): Promise<CollectionDeclaration[]>
  /**
   * A number that differs from every earlier one as soon as anything was committed since, by whichever process. Lets
   * others keep what they have read; absent where finding out takes as long as reading.
   */
  readonly dataVersion?: (() => number) | undefined
  /** What was found damaged and set aside; absent if that cannot happen. */
  problems?(): Promise<StorageProblem[]>
  /**
   * Committed changes behind a position, oldest first: every one once, whichever process committed it, and those of one
   * record in the order of its commits. Of several writes of a record in one transaction only the outcome is a change; what
   * an upgrade rewrites has changed, too. Positions outlive the process. A position that the feed no longer reaches back to
   * is `CHANGES_EXPIRED`, one that is none is `INVALID_CURSOR`.
   *
   * A change is written in the transaction of its record, so that neither can be there without the other. `ChangeNotes`,
   * `readChanges` and `Retention` do most of it.
   */
  readonly changes?: ((request: ChangesRequest) => Promise<StorageChangePage>) | undefined
  /**
   * Calls `wake` after commits of any process, within 250 ms, and at times without one; returns the function that stops it.
   * Wakes once more when the backend is closed.
   */
  readonly watchChanges?: ((wake: () => void) => () => void) | undefined
}
