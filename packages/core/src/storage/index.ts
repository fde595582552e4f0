export { clientCollections, minionsCollection, relationsCollection, typesCollection } from '../client/collections.js'
export { searchableText } from '../lifecycle/searchable-text.js'
export type {
  Expectation,
  Key,
  Revised,
  StoreAccess,
  StoreReader,
  StoreTransaction,
  TransactionOptions,
} from './access.js'
export type {
  ClaimChange,
  CollectionWrites,
  ColumnValue,
  Condition,
  DataVersion,
  Direction,
  Operand,
  OrderTerm,
  QueryPlan,
  RecordCheck,
  RecordDelete,
  RecordText,
  RecordWrite,
  Selection,
  StorageBackend,
  StorageCapabilities,
  StorageProblem,
  StorageReader,
  StorageTransaction,
  StoredRecord,
  Wake,
} from './backend.js'
export { changesExpired, invalidPosition } from './changes/errors.js'
export type { ChangesRequest, RemovedColumns, StorageChange, StorageChangePage } from './changes/feed.js'
export { ChangeNotes, keptColumns, MOST_IN_A_ROW, type NotedChanges, removedColumns } from './changes/notes.js'
export { type ChangeRetention, MOST_REMOVED_AT_ONCE, Retention } from './changes/retention.js'
export { type ChangeEntry, type ChangeRow, type ChangeRows, readChanges, toChange } from './changes/rows.js'
export type {
  ChangePageQuery,
  ChangesQuery,
  FollowOptions,
  StoreChange,
  StoreChangePage,
} from './changes/store-change.js'
export { ChangeWatchers, type WatchersOptions } from './changes/watchers.js'
export {
  Collection,
  type CollectionDefinition,
  type ColumnDefinition,
  collectionFromDeclaration,
  columnIndex,
  defineCollection,
  MAX_INDEX_BYTES,
  type RecordOf,
} from './collection.js'
export {
  type CollectionDeclaration,
  CollectionDeclarationSchema,
  type ColumnDeclaration,
  type ColumnType,
  type ReferenceDeclaration,
} from './declaration.js'
export { type CommitGroup, GroupCommit, RunAgain } from './group-commit.js'
export { isStore } from './is-store.js'
export { type KeyPart, MAX_KEY_BYTES } from './key.js'
export { type RetriedWrite, retryConflicts, unlessConflict } from './optimistic.js'
export { formatPath, guardedValueAt as valueAt, type Path, parsePath } from './path.js'
export type { CollectionQuery } from './query.js'
export { newRevision } from './revision.js'
export { type StorageFactory, StorageSchemes } from './schemes.js'
export { indexedLists, orderedIndexes } from './sql-indexes.js'
export { type SqlNames, sqlName, sqlNames, sqlPart } from './sql-names.js'
export { RESERVED_WORDS } from './sql-reserved.js'
export { type StorageScheme, storageSchemes } from './storage-schemes.js'
export {
  hidePassword,
  parseStorageUrl,
  resolveStorageUrl,
  type StorageUrl,
  type TakenUrl,
  takeStorageUrl,
} from './storage-url.js'
export { Store, type StoreOptions } from './store.js'
export { FOLD_VERSION, foldText, MAX_SEARCHED_LENGTH, words } from './text.js'
export { planUpgrade } from './upgrade.js'
export { WriteBatch, writeInTransaction } from './write-batch.js'
export { writeConflict } from './write-conflict.js'
