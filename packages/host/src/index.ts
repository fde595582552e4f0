// Types of core that appear in an app: a consumer's declarations name them through this package.
export type {
  BundleSource,
  By,
  CreateMinionInput,
  CreateRelationInput,
  EvolveOptions,
  ExportOptions,
  FieldDefinition,
  ImportReport,
  Listener,
  Logger,
  MigrationReport,
  Minion,
  MinionChange,
  MinionOf,
  MinionQuery,
  MinionRecord,
  Minions,
  MinionsAccess,
  MinionsEvents,
  MinionType,
  Page,
  Plugin,
  PluginDefinition,
  PluginRef,
  PluginType,
  RecordEvent,
  RegisterTypeOptions,
  Relation,
  RelationsOptions,
  RelationType,
  StorageBackend,
  StorageProblem,
  StoreAccess,
  StoreReader,
  StoreTransaction,
  Token,
  TokenValue,
  TraversalOptions,
  TypedEmitter,
  TypeRegistry,
  TypesApi,
  UpdateMinionInput,
  UpdateOptions,
} from '@minions/core'
export {
  createToken,
  defineOperation,
  definePlugin,
  extensionPoint,
  MinionsError,
  operations,
  optional,
  override,
  pluginRef,
  provide,
  runOperation,
  tokens,
} from '@minions/core'
export { type Config, type ConfigPlugin, ConfigSchema, defineConfig } from './config/config.js'
export { CONFIG_FILES } from './config/find-config.js'
export { type LoadedConfig, loadConfig, loadPlugins } from './config/load-config.js'
export { type CreateMinionsOptions, createMinions } from './create-minions.js'
export { HOST_ERROR_CODES, type HostErrorCode } from './errors.js'
export type { App, Complete, MissingPlugin, Namespaces, PluginEntry, TransactionNamespaces, Tx } from './plugin-list.js'
export { routeStorage } from './storage/route-storage.js'
export { type ApplicationPlace, storageFromUrl } from './storage/storage-url.js'
