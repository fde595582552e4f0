export type { ExportOptions } from './bundle-export.js'
export type { ImportReport } from './bundle-import.js'
export type { BundleSource } from './bundle-lines.js'
export type {
  ClientChange,
  ClientChangePage,
  ClientChangePageQuery,
  ClientChangesQuery,
  ClientFollowOptions,
} from './client-changes.js'
export { type MinionTree, minionTree } from './minion-tree.js'
export type { OrderByOf, PathOf, WhereOf } from './typed-query.js'
