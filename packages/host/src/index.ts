// Types of core that appear in an app: a consumer's declarations name them through this package.
export type {
  By,
  CreateMinionInput,
  CreateRelationInput,
  FieldDefinition,
  Listener,
  Minion,
  MinionOf,
  MinionQuery,
  MinionRecord,
  Minions,
  MinionsAccess,
  MinionsEvents,
  MinionType,
  Page,
  RecordEvent,
  RegisterTypeOptions,
  Relation,
  RelationsOptions,
  RelationType,
  TraversalOptions,
  TypedEmitter,
  TypesApi,
  UpdateMinionInput,
  UpdateOptions,
} from '@minions/core'
export { MinionsError } from '@minions/core'
export type { BundleSource, ExportOptions, ImportReport } from '@minions/core/client'
export type { EvolveOptions, MigrationReport } from '@minions/core/evolution'
export { defineOperation, operations, runOperation } from '@minions/core/operations'
export type {
  Logger,
  MinionChange,
  Plugin,
  PluginDefinition,
  PluginRef,
  PluginType,
  Token,
  TokenValue,
} from '@minions/core/plugin'
export {
  createToken,
  definePlugin,
  extensionPoint,
  optional,
  override,
  pluginRef,
  provide,
  tokens,
} from '@minions/core/plugin'
export type { StorageBackend, StorageProblem, StoreAccess, StoreReader, StoreTransaction } from '@minions/core/storage'
export type { TypeRegistry } from '@minions/core/types'
export { type Config, type ConfigPlugin, ConfigSchema, defineConfig } from './config/config.js'
export { CONFIG_FILES } from './config/find-config.js'
export { type LoadedConfig, loadConfig, loadPlugins } from './config/load-config.js'
export { type CreateMinionsOptions, createMinions } from './create-minions.js'
export { HOST_ERROR_CODES, type HostErrorCode } from './errors.js'
export type {
  App,
  AppOperations,
  CarriedOperations,
  Complete,
  MissingPlugin,
  Namespaces,
  PluginEntry,
  PluginTypes,
  TransactionNamespaces,
  Tx,
} from './plugin-list.js'
export { routeStorage } from './storage/route-storage.js'
export { type ApplicationLocation, storageFromUrl } from './storage/storage-url.js'
