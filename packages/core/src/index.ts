export type { ExportOptions } from './client/bundle-export.js'
export type { ImportReport } from './client/bundle-import.js'
export type { BundleSource } from './client/bundle-lines.js'
export type { ChangeKind, MinionChange, OnChange, OnLink } from './client/change.js'
export {
  clientCollections,
  minionsCollection,
  relationsCollection,
  typesCollection,
} from './client/collections.js'
export type { DeriveMinion } from './client/derive.js'
export type { MinionsEvents, RecordEvent } from './client/events.js'
export { everyPage } from './client/every-page.js'
export type { EvolveOptions } from './client/evolve.js'
export type { RelationsOptions } from './client/links.js'
export type { Middleware, Operation as ClientCall, OperationName as ClientMethod } from './client/middleware.js'
export type { MinionQuery } from './client/minion-query.js'
export { type MinionTree, MinionTreeSchema, minionTree } from './client/minion-tree.js'
export { Minions, type MinionsOptions } from './client/minions.js'
export { MinionsAccess } from './client/minions-access.js'
export type { MinionRecord, UpdateOptions } from './client/objects.js'
export type { RelationQuery } from './client/relation-query.js'
export type { By } from './client/session.js'
export type { TraversalOptions } from './client/traversal.js'
export type { OnTypeDiffers } from './client/type-differences.js'
export type { RegisterTypeOptions } from './client/type-store.js'
export type { OrderByOf, PathOf, WhereOf } from './client/typed-query.js'
export type { TypesApi } from './client/types-api.js'
export {
  type Diagram,
  type DiagramDirection,
  type DiagramEdge,
  type DiagramNode,
  type DiagramOptions,
  DiagramSchema,
  type DiagramStyle,
} from './diagram/diagram.js'
export { toDot } from './diagram/dot.js'
export { toMermaid } from './diagram/mermaid.js'
export { CORE_ERROR_CODES, type CoreErrorCode } from './errors/codes.js'
export { guarded, guardMethods } from './errors/guard.js'
export { isMinionsError, MinionsError, type MinionsErrorOptions } from './errors/minions-error.js'
export { nearestName } from './errors/nearest-name.js'
export { quote } from './errors/quote.js'
export { takeList, takeOptions } from './errors/take.js'
export { type Listener, TypedEmitter, type TypedEmitterOptions } from './events/typed-emitter.js'
export type { MigrationOptions, TransformError } from './evolution/migrate-fields.js'
export { migrateMinion } from './evolution/migrate-minion.js'
export { type MigrationReport, type MinionMigration, planMigration } from './evolution/plan-migration.js'
export type { RetypedField, SchemaChanges } from './evolution/schema-changes.js'
export type { Transform, Transforms } from './evolution/transform.js'
export type { Executable, ExecutionContext } from './execution/executable.js'
export { type RunOptions, runExecutable } from './execution/run-executable.js'
export { isAbsent } from './fields/absent.js'
export { VALIDATION_CODES, type ValidationCode } from './fields/codes.js'
export { type CompiledType, compileType, fits, type ValidateOptions } from './fields/compile-type.js'
export { type DefinitionProblem, definitionProblems } from './fields/definition-problems.js'
export { EMAIL_PATTERN, URL_PATTERN } from './fields/formats.js'
export { toJsonSchema } from './fields/json-schema.js'
export { type CompiledPattern, compilePattern, MAX_PATTERN_LENGTH, patternProblem } from './fields/pattern.js'
export { validateField, validateFields } from './fields/validate.js'
export { generateId, IdSchema, type IdSource, isId } from './ids.js'
export { canonicalJson } from './json/canonical.js'
export { cloneJson } from './json/clone.js'
export { compareCodePoints, compareScalars } from './json/compare.js'
export {
  copyJson,
  type JsonProblem,
  jsonProblem,
  MAX_RECORD_BYTES,
  MAX_RECORD_DEPTH,
} from './json/copy-json.js'
export { jsonEqual } from './json/equal.js'
export type { JsonObject, JsonScalar, JsonValue } from './json/json-value.js'
export { inKeyOrder } from './json/key-order.js'
export { pointerTo } from './json/pointer.js'
export { setOwn } from './json/set-own.js'
export { applyDefaults } from './lifecycle/apply-defaults.js'
export { createMinion } from './lifecycle/create-minion.js'
export { hardDelete, isDeleted, restoreMinion, softDelete } from './lifecycle/delete-minion.js'
export type { CreateMinionInput, UpdateMinionInput } from './lifecycle/input.js'
export type { CreateOptions, LifecycleOptions } from './lifecycle/options.js'
export type { MinionResult } from './lifecycle/result.js'
export { searchableText } from './lifecycle/searchable-text.js'
export { updateMinion } from './lifecycle/update-minion.js'
export { ACCESS_KINDS, type Access, includesAccess } from './operations/access.js'
export {
  CATALOGUE,
  type FinishedOperation,
  findOperation,
  type OperationCatalogue,
  operationsOf,
} from './operations/catalogue.js'
export { clientOperations } from './operations/client/client-operations.js'
export { asPage, pageInput, pageOf } from './operations/client/page.js'
export {
  defineOperation,
  type Operation,
  type OperationContext,
  type OperationDefinition,
  type OperationExample,
  operations,
  type Progress,
} from './operations/operation.js'
export { requireTenant } from './operations/require-tenant.js'
export { runExample } from './operations/run-example.js'
export { type RunOperationOptions, runOperation } from './operations/run-operation.js'
export {
  type Dependencies,
  type Dependency,
  isOptional,
  type JoinedDependencies,
  type Optional,
  optional,
  type ResolvedDependencies,
} from './plugin/dependencies.js'
export {
  type Contributed,
  type ExtensionPoint,
  type ExtensionPointOptions,
  extensionPoint,
  isExtensionPoint,
} from './plugin/extension-point.js'
export { type LogFields, type Logger, silentLogger } from './plugin/logger.js'
export {
  type Contribution,
  definePlugin,
  isPlugin,
  type Plugin,
  type PluginDefinition,
} from './plugin/plugin.js'
export { type ApiOf, isPluginRef, type PluginRef, pluginRef, type TransactionOf } from './plugin/plugin-ref.js'
export type { PluginType } from './plugin/plugin-type.js'
export { type Override, override, type Provision, provide } from './plugin/service.js'
export { createToken, isToken, type Token, type TokenValue } from './plugin/token.js'
export { tokens } from './plugin/tokens.js'
export { RelationGraph, type RelationGraphOptions } from './relations/relation-graph.js'
export {
  EXECUTION_STATUSES,
  type ExecutionResult,
  ExecutionResultSchema,
  type ExecutionStatus,
} from './schemas/execution-result.js'
export {
  FIELD_TYPES,
  type FieldDefinition,
  FieldDefinitionSchema,
  type FieldType,
  type FieldValidation,
  FieldValidationSchema,
} from './schemas/field-definition.js'
export {
  MINION_PRIORITIES,
  MINION_STATUSES,
  type Minion,
  type MinionPriority,
  MinionSchema,
  type MinionStatus,
} from './schemas/minion.js'
export { type MinionType, MinionTypeSchema, SLUG_PATTERN } from './schemas/minion-type.js'
export {
  type CreateRelationInput,
  RELATION_TYPES,
  type Relation,
  RelationSchema,
  type RelationType,
} from './schemas/relation.js'
export { textMatching } from './schemas/text-matching.js'
export {
  CANONICAL_TIMESTAMP_PATTERN,
  TIMESTAMP_PATTERN,
  TIMESTAMP_RULE,
  TimestampSchema,
} from './schemas/timestamp.js'
export {
  type ValidationError,
  ValidationErrorSchema,
  type ValidationResult,
  ValidationResultSchema,
} from './schemas/validation-result.js'
export type {
  Expectation,
  Key,
  Revised,
  StoreAccess,
  StoreReader,
  StoreTransaction,
  TransactionOptions,
} from './storage/access.js'
export type {
  ColumnValue,
  Condition,
  Direction,
  Operand,
  OrderTerm,
  QueryPlan,
  RecordDelete,
  RecordWrite,
  Selection,
  StorageBackend,
  StorageCapabilities,
  StorageProblem,
  StorageReader,
  StorageTransaction,
  StoredRecord,
} from './storage/backend.js'
export {
  Collection,
  type CollectionDefinition,
  type ColumnDefinition,
  collectionFromDeclaration,
  columnIndex,
  defineCollection,
  MAX_INDEX_BYTES,
  type RecordOf,
} from './storage/collection.js'
export {
  type CollectionDeclaration,
  CollectionDeclarationSchema,
  type ColumnDeclaration,
  type ColumnType,
  type ReferenceDeclaration,
} from './storage/declaration.js'
export { type FileScheme, type FileUrl, parseFileUrl, resolveFileUrl } from './storage/file-url.js'
export { type KeyPart, MAX_KEY_BYTES } from './storage/key.js'
export { type Commit, MemoryEngine, type MemoryTransaction } from './storage/memory/engine.js'
export { matcher } from './storage/memory/match.js'
export { memoryStorage } from './storage/memory/memory-storage.js'
export { isBehind, type Row, rowOrder } from './storage/memory/row.js'
export { formatPath, type Path, parsePath, valueAt } from './storage/path.js'
export type { CollectionQuery, Comparison, OrderBy, Page, Where } from './storage/query.js'
export { Queue } from './storage/queue.js'
export { newRevision } from './storage/revision.js'
export { hidePassword, type StorageFactory, StorageSchemes } from './storage/schemes.js'
export { Store, type StoreOptions } from './storage/store.js'
export { FOLD_VERSION, foldText, MAX_SEARCHED_LENGTH, words } from './storage/text.js'
export { planUpgrade } from './storage/upgrade.js'
export { writeConflict } from './storage/write-conflict.js'
export { type Clock, now, readClock, readMillis, timestamp } from './time/clock.js'
export { isDate } from './time/date-time.js'
export { contactType, fileType, linkType, noteType } from './types/basic-types.js'
export { builtinTypes } from './types/builtin-types.js'
export { defineType } from './types/define-type.js'
export type {
  CreateFieldsOf,
  FieldsOf,
  FieldValue,
  HasSchema,
  MinionOf,
  UpdateFieldsOf,
} from './types/fields-of.js'
export {
  agentType,
  promptTemplateType,
  taskType,
  teamType,
  testCaseType,
  thoughtType,
} from './types/layer-types.js'
export { LAYERS, type Layer } from './types/layers.js'
export { minionTypeType } from './types/minion-type-type.js'
export { SPEC_VERSION } from './types/spec-version.js'
export type { BuiltinTypes, KnownSlug, TypeMap, TypeName, TypeNamed, TypesBySlug, TypesIn } from './types/type-map.js'
export { minionToType, typeToMinion } from './types/type-minion.js'
export { typeProblems } from './types/type-problems.js'
export { type RegisterOptions, TypeRegistry } from './types/type-registry.js'
