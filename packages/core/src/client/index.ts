export type { ExportOptions } from './bundles/export.js'
export type { ImportReport } from './bundles/import.js'
export type { BundleSource } from './bundles/lines.js'
export type {
  ClientChange,
  ClientChangePage,
  ClientChangePageQuery,
  ClientChangesQuery,
  ClientFollowOptions,
} from './changes/client-changes.js'
export type { OrderByOf, PathOf, WhereOf } from './objects/typed-query.js'
export { type MinionTree, minionTree } from './relations/minion-tree.js'
