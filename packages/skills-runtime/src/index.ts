export { SKILL_NAME_PATTERN, VERSION_PATTERN } from './attributes.js'
export type {
  AgentPresence,
  CloseOptions,
  MessageBusOptions,
  ReplyOptions,
  RequestOptions,
  SendOptions,
} from './bus/bus-options.js'
export { DEAD_LETTER_REASONS, type DeadLetter, type DeadLetterReason } from './bus/dead-letter.js'
export type { SentMessage } from './bus/delivery.js'
export { inProcessTransport } from './bus/in-process-transport.js'
export type { ReceiveOptions } from './bus/inbox.js'
export type { BusEvents, BusStats } from './bus/ledger.js'
export type { OverflowPolicy } from './bus/mailbox.js'
export { MessageBus } from './bus/message-bus.js'
export { type MessageFilter, messagesCollection } from './bus/message-store.js'
export type { MessageHandler } from './bus/subscription.js'
export type { MessageTransport, TransportEndpoint, TransportLink } from './bus/transport.js'
export { checkReferences, type KnownSchemas } from './compose/check-references.js'
export { type CompositeDefinition, type CompositeSkill, composeSkill } from './compose/compose-skill.js'
export { resolveInput } from './compose/resolve-input.js'
export type {
  CompositePlan,
  ParallelSteps,
  PlannedPolicy,
  PlannedStep,
  SkillStep,
  StepErrorPolicy,
  StepInput,
  StepScope,
} from './compose/step.js'
export type { AgentMessages } from './engine/agent-messages.js'
export { type BackoffOptions, BackoffSchema } from './engine/backoff.js'
export type { AgentIds, ExecutionIds, SkillsEvents } from './engine/events.js'
export { NonRetryableError } from './engine/failure.js'
export type { ChainResults, ParametersOf } from './engine/run-plan.js'
export { type AttemptClock, inlineRunner, type SkillRunner } from './engine/skill-runner.js'
export { SKILLS_ERROR_CODES, type SkillsErrorCode } from './errors.js'
export {
  EXECUTION_STATUSES,
  type ExecutionStatus,
  type SkillExecution,
  SkillExecutionSchema,
} from './execution/execution-schema.js'
export type { LogFilter } from './execution/log-filter.js'
export {
  EXECUTION_LOG_LIMITS,
  type ExecutionLog,
  ExecutionLogSchema,
  LOG_LEVELS,
  type LogLevel,
  type LogLine,
} from './execution/log-schema.js'
export { validateExecution } from './execution/validate-execution.js'
export { WorkerRunner, type WorkerRunnerOptions } from './isolation/worker-runner.js'
export { type LoadedSkills, type LoadOptions, loadSkills } from './loading/load-skills.js'
export { LOAD_PROBLEM_CODES, type LoadProblem, type LoadProblemCode } from './loading/problem.js'
export {
  type SkillsOptions,
  type SkillsParts,
  type SkillsSettings,
  SkillsSettingsSchema,
  type SubagentManagerOptions,
} from './manager/options.js'
export type { ChainParams } from './manager/plan-run.js'
export type { SkillsTransaction } from './manager/skills-transaction.js'
export type { SpawnInput } from './manager/spawn-input.js'
export { type ResumeOptions, type RunOptions, type SkillsStats, SubagentManager } from './manager/subagent-manager.js'
export {
  MESSAGE_LIMITS,
  MESSAGE_TYPES,
  type Message,
  type MessageInput,
  MessageInputSchema,
  MessageSchema,
  type MessageType,
  SYSTEM_SENDER,
} from './message/message-schema.js'
export { validateMessage } from './message/validate-message.js'
export { skills, skills as plugin } from './plugin.js'
export { skillsRef } from './ref.js'
export { type SkillRegistryRecord, SkillRegistrySchema } from './registry/registry-schema.js'
export { type RegisteredSkill, SkillRegistry, type SkillRegistryOptions } from './registry/skill-registry.js'
export { type Limits, LimitsSchema } from './scheduler/limits.js'
export { type CompiledSchema, compileSchema } from './schema/compile-schema.js'
export { SCHEMA_FORMATS } from './schema/formats.js'
export { type Dialect, type JsonSchema, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH } from './schema/json-schema.js'
export type { SchemaProblem } from './schema/problem.js'
export { schemaProblems } from './schema/schema-problems.js'
export { skillRecord } from './skill/complete-skill.js'
export { defineSkill, type SkillDefinition } from './skill/define-skill.js'
export type { InferResult, InferSchema } from './skill/infer.js'
export {
  type CompleteSkill,
  type Isolation,
  isRunnable,
  type Skill,
  type SkillCode,
  type SkillOptions,
  type SkillParams,
  type SkillResult,
} from './skill/skill.js'
export type { CommitWork, MessageOptions, SkillContext, SkillLog } from './skill/skill-context.js'
export { SKILL_LIMITS, type SkillRecord, SkillSchema } from './skill/skill-schema.js'
export { validateSkill } from './skill/validate-skill.js'
export {
  checkpointsCollection,
  executionLogsCollection,
  executionsCollection,
  leasesCollection,
  pauseRequestsCollection,
  runsCollection,
  skillsCollection,
  skillsCollections,
  subagentsCollection,
} from './state/collections.js'
export type { AgentFilter, ExecutionFilter } from './state/filters.js'
export type { Checkpoint, Lease, PauseRequest, RunRecord } from './state/records.js'
export type { AgentCounts, ExecutionCounts } from './state/runtime-state.js'
export { AGENT_STATES, AGENT_TRANSITIONS, type AgentState, canTransition } from './subagent/agent-state.js'
export { subagentError } from './subagent/error-text.js'
export { SUBAGENT_LIMITS, type Subagent, SubagentSchema } from './subagent/subagent-schema.js'
export { validateSubagent } from './subagent/validate-subagent.js'
export { systemTimers, type TimerOptions, type Timers } from './time/timers.js'
export type { ValidationIssue, ValidationResult } from './validation.js'
