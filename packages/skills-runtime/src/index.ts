export { SKILL_NAME_PATTERN, VERSION_PATTERN } from './attributes.js'
export type {
  AgentPresence,
  CloseOptions,
  MessageBusOptions,
  ReplyOptions,
  RequestOptions,
  SendOptions,
} from './bus/bus-options.js'
export { DEAD_LETTER_REASONS, type DeadLetter, type DeadLetterReason } from './bus/delivery/dead-letter.js'
export type { ReceiveOptions } from './bus/delivery/inbox.js'
export type { BusEvents, BusStats } from './bus/delivery/ledger.js'
export type { OverflowPolicy } from './bus/delivery/mailbox.js'
export type { MessageHandler } from './bus/delivery/subscription.js'
export {
  MESSAGE_LIMITS,
  MESSAGE_TYPES,
  type Message,
  type MessageInput,
  MessageInputSchema,
  MessageSchema,
  type MessageType,
  SYSTEM_SENDER,
} from './bus/message/message-schema.js'
export { type MessageFilter, messagesCollection } from './bus/message/message-store.js'
export type { SentMessage } from './bus/message/sent-message.js'
export { validateMessage } from './bus/message/validate-message.js'
export { MessageBus } from './bus/message-bus.js'
export { inProcessTransport } from './bus/transport/in-process-transport.js'
export {
  type MessageTransport,
  messageTransport,
  type TransportEndpoint,
  type TransportLink,
} from './bus/transport/transport.js'
export { SKILLS_ERROR_CODES, type SkillsErrorCode } from './errors.js'
export { skills, skills as plugin } from './plugin.js'
export { skillsRef } from './ref.js'
export { type BackoffOptions, BackoffSchema } from './runtime/engine/backoff.js'
export type { AgentIds, ExecutionIds, SkillsEvents } from './runtime/engine/events.js'
export { NonRetryableError } from './runtime/engine/failure.js'
export type { ChainResults, ParametersOf } from './runtime/engine/run-plan.js'
export { type AttemptClock, inlineRunner, type SkillRunner } from './runtime/engine/skill-runner.js'
export {
  EXECUTION_STATUSES,
  type ExecutionStatus,
  type SkillExecution,
  SkillExecutionSchema,
} from './runtime/executions/execution-schema.js'
export type { LogFilter } from './runtime/executions/log-filter.js'
export {
  EXECUTION_LOG_LIMITS,
  type ExecutionLog,
  ExecutionLogSchema,
  LOG_LEVELS,
  type LogLevel,
  type LogLine,
} from './runtime/executions/log-schema.js'
export { validateExecution } from './runtime/executions/validate-execution.js'
export { WorkerRunner, type WorkerRunnerOptions } from './runtime/isolation/worker-runner.js'
export {
  type SkillsOptions,
  type SkillsParts,
  type SkillsSettings,
  SkillsSettingsSchema,
  type SubagentManagerOptions,
} from './runtime/manager/options.js'
export type { ChainParams } from './runtime/manager/plan-run.js'
export type { ExecuteOptions, ResumeOptions, RunOptions } from './runtime/manager/run-options.js'
export type { SkillsTransaction } from './runtime/manager/skills-transaction.js'
export type { SpawnInput } from './runtime/manager/spawn-input.js'
export type { SkillsStats } from './runtime/manager/stats.js'
export { SubagentManager } from './runtime/manager/subagent-manager.js'
export { type Limits, LimitsSchema } from './runtime/scheduler/limits.js'
export { skillsCollections } from './runtime/state/collections.js'
export type { AgentFilter, ExecutionFilter } from './runtime/state/filters.js'
export type { AgentCounts, ExecutionCounts } from './runtime/state/runtime-state.js'
export {
  AGENT_STATES,
  AGENT_TRANSITIONS,
  type AgentState,
  guardedCanTransition as canTransition,
} from './runtime/subagents/agent-state.js'
export { inheritedMetadata } from './runtime/subagents/origin.js'
export { SUBAGENT_LIMITS, type Subagent, SubagentSchema } from './runtime/subagents/subagent-schema.js'
export { validateSubagent } from './runtime/subagents/validate-subagent.js'
export { type AgentSkill, isAgentSkill, readAgentSkill } from './skills/agent-skills/agent-skill.js'
export type { SkillResource } from './skills/agent-skills/skill-files.js'
export { type SkillTool, skillTool } from './skills/agent-skills/skill-tool.js'
export { AGENT_SKILL_LIMITS } from './skills/agent-skills/standard.js'
export { type WrittenAgentSkill, writeAgentSkill } from './skills/agent-skills/write-agent-skill.js'
export { type CompositeDefinition, type CompositeSkill, composeSkill } from './skills/composition/compose-skill.js'
export type {
  CompositePlan,
  ParallelSteps,
  PlannedPolicy,
  PlannedStep,
  SkillStep,
  StepErrorPolicy,
  StepInput,
  StepScope,
} from './skills/composition/step.js'
export { skillRecord } from './skills/definition/complete-skill.js'
export { defineSkill, type SkillDefinition } from './skills/definition/define-skill.js'
export type { InferResult, InferSchema } from './skills/definition/infer.js'
export {
  type CompleteSkill,
  type Isolation,
  isRunnable,
  type Skill,
  type SkillCode,
  type SkillOptions,
  type SkillParams,
  type SkillResult,
} from './skills/definition/skill.js'
export type {
  CommitWork,
  MessageOptions,
  SkillContext,
  SkillLog,
  WaitOptions,
} from './skills/definition/skill-context.js'
export { SKILL_LIMITS, type SkillRecord, SkillSchema } from './skills/definition/skill-schema.js'
export { validateSkill } from './skills/definition/validate-skill.js'
export { discoverSkillFolders, PROJECT_SKILL_FOLDERS } from './skills/loading/discover-folders.js'
export { type LoadedSkills, type LoadOptions, loadSkills } from './skills/loading/load-skills.js'
export { LOAD_PROBLEM_CODES, type LoadProblem, type LoadProblemCode } from './skills/loading/problem.js'
export { type LockDifferences, lockSkills } from './skills/loading/skills-lock.js'
export { type SkillRegistryRecord, SkillRegistrySchema } from './skills/registry/registry-schema.js'
export { type RegisteredSkill, SkillRegistry, type SkillRegistryOptions } from './skills/registry/skill-registry.js'
export type { ValidationResult } from './validation.js'
