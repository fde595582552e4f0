export { ACCESS_KINDS, type Access, includesAccess } from './access.js'
export {
  CATALOGUE,
  catalogueOf,
  type FinishedOperation,
  findOperation,
  type OperationCatalogue,
  operationsOf,
} from './catalogue.js'
export { listChanges } from './client/changes.js'
export { clientOperations } from './client/client-operations.js'
export { asPage, pageInput, pageOf } from './client/page.js'
export { type EventSource, eventSources } from './event-source.js'
export { type Grant, type GuardedOperation, isWithin, permits } from './grant.js'
export {
  defineOperation,
  type Operation,
  type OperationContext,
  type OperationDefinition,
  type OperationExample,
  operations,
  type Progress,
} from './operation.js'
export { type OperationRef, operationRef } from './operation-ref.js'
export { type OperationRunner, operationRunner, type RunConditions } from './operation-runner.js'
export { type AreaDefaults, type AreaOperationDefinition, operationsWith } from './operations-with.js'
export { property } from './property.js'
export { requireTenant } from './require-tenant.js'
export { runExample } from './run-example.js'
export { type RunOperationOptions, runOperation, runOperationAsText } from './run-operation.js'
