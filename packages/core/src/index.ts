// These entries have the names of types that this one returns. The compiler writes such a name into the declarations of a
// consumer only if it has read the entry.
export type {} from './client/index.js'
export type {} from './evolution/index.js'
export type {} from './types/index.js'

// The model, the client, errors and events.

export type { OperationName as ClientMethod } from './client/door.js'
export type { MinionsEvents, RecordEvent } from './client/events.js'
export type { Middleware, Operation as ClientCall } from './client/middleware.js'
export { Minions, type MinionsOptions } from './client/minions.js'
export { MinionsAccess } from './client/minions-access.js'
export { everyPage } from './client/objects/every-page.js'
export type { MinionQuery } from './client/objects/minion-query.js'
export type { UpdateOptions } from './client/objects/objects.js'
export type { MinionRecord } from './client/objects/read-minion.js'
export type { RelationsOptions } from './client/relations/links.js'
export type { RelationQuery } from './client/relations/relation-query.js'
export type { TraversalOptions } from './client/relations/traversal.js'
export type { By } from './client/session.js'
export type { RegisterTypeOptions } from './client/types/type-store.js'
export type { TypesApi } from './client/types/types-api.js'
export { CORE_ERROR_CODES, type CoreErrorCode, coreError } from './errors/codes.js'
export { defineErrors, type ErrorFactory } from './errors/define-errors.js'
export { messageOf } from './errors/message-of.js'
export { isMinionsError, MinionsError, type MinionsErrorOptions } from './errors/minions-error.js'
export { nearestName } from './errors/nearest-name.js'
export { quote } from './errors/quote.js'
export { type Listener, TypedEmitter, type TypedEmitterOptions } from './events/typed-emitter.js'
export { validateField, validateFields } from './fields/validate.js'
export { generateId, isId } from './ids.js'
export { applyDefaults } from './lifecycle/apply-defaults.js'
export { createMinion } from './lifecycle/create-minion.js'
export { hardDelete, isDeleted, restoreMinion, softDelete } from './lifecycle/delete-minion.js'
export type { CreateMinionInput, UpdateMinionInput } from './lifecycle/input.js'
export type { CreateOptions, LifecycleOptions } from './lifecycle/options.js'
export type { MinionResult } from './lifecycle/result.js'
export { updateMinion } from './lifecycle/update-minion.js'
export { RelationGraph, type RelationGraphOptions } from './relations/relation-graph.js'
export { relationLabel } from './relations/relation-label.js'
export { FIELD_TYPES, type FieldDefinition, type FieldType, type FieldValidation } from './schemas/field-definition.js'
export {
  MINION_PRIORITIES,
  MINION_STATUSES,
  type Minion,
  type MinionPriority,
  type MinionStatus,
} from './schemas/minion.js'
export type { MinionType } from './schemas/minion-type.js'
export { type CreateRelationInput, RELATION_TYPES, type Relation, type RelationType } from './schemas/relation.js'
export type { ValidationError, ValidationResult } from './schemas/validation-result.js'
export type { Comparison, OrderBy, Page, Where } from './storage/query.js'
export { type Clock, now, timestamp } from './time/clock.js'
export { defineType } from './types/define-type.js'
export type { FieldsOf, MinionOf } from './types/fields-of.js'
export { SPEC_VERSION } from './types/spec-version.js'
