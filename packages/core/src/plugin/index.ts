// Plugins carry `TypesIn` of this entry; see the main one.
export type {} from '../types/index.js'

// What plugins are written with.

export type {
  ChangeKind,
  ImportedRecords,
  MinionChange,
  OnChange,
  OnImport,
  OnLink,
  OnUnlink,
} from '../client/changes/change.js'
export type { DeriveMinion } from '../client/objects/derive.js'
export { callingBack, guarded, guardMethods, requireFunction } from '../errors/guard.js'
export { takeFunction, takeItems, takeList, takeOptions } from '../errors/take.js'
export type { IdSource } from '../ids.js'
export { readClock, readMillis } from '../time/clock.js'
export {
  type AgentFunction,
  type AgentRequest,
  type AgentRunner,
  type AgentTurn,
  agentRunner,
} from './agent-runner.js'
export {
  type ApprovalGate,
  approvalGate,
  type Clearance,
  type ClearOptions,
  type GateErrorCode,
  GUARDED_KINDS,
  type GuardedCall,
  type GuardedKind,
  type RequireOptions,
} from './approval-gate.js'
export { type AuditNote, type AuditTrail, auditTrail } from './audit-trail.js'
export {
  type Dependencies,
  type Dependency,
  isOptional,
  type JoinedDependencies,
  type Optional,
  optional,
  type ResolvedDependencies,
} from './dependencies.js'
export {
  type Contributed,
  type ExtensionPoint,
  type ExtensionPointOptions,
  extensionPoint,
  isExtensionPoint,
} from './extension-point.js'
export {
  type LanguageModels,
  languageModels,
  type ModelMessage,
  type ModelReply,
  type ModelRequest,
  type ModelTool,
  type ModelToolCall,
  type ModelUsage,
} from './language-models.js'
export { type LogFields, type Logger, silentLogger } from './logger.js'
export { type Contribution, definePlugin, isPlugin, type Plugin, type PluginDefinition } from './plugin.js'
export { type ApiOf, isPluginRef, type PluginRef, pluginRef, type TransactionOf } from './plugin-ref.js'
export type { PluginType } from './plugin-type.js'
export { mayBeSamePerson } from './same-person.js'
export { type Override, override, type Provision, provide } from './service.js'
export {
  type SharedLimits,
  type SharedRate,
  type SharedRateLimiter,
  type SharedSlots,
  sharedLimits,
} from './shared-limits.js'
export { createToken, isToken, type Token, type TokenValue } from './token.js'
export { tokens } from './tokens.js'
