export { CONTRACTS_ERROR_CODES, type ContractsErrorCode } from './errors.js'
export { artifactExamples } from './examples.js'
export { type GateAnswer, PolicyGate, type PolicyGateOptions, type ToolCheckOptions } from './gate/policy-gate.js'
export type { TaskRef } from './gate/task-ref.js'
export { executionOrder } from './graph/execution-order.js'
export type { GraphTask, TaskGraphLike } from './graph/task-links.js'
export { validateTaskGraph } from './graph/validate-task-graph.js'
export { completeArtifact } from './mission/complete-artifact.js'
export { artifactHash, artifactId } from './mission/identity.js'
export { linkageProblems } from './mission/linkage-problems.js'
export { MissionIndex } from './mission/mission-index.js'
export { type ValidateMissionOptions, validateMission } from './mission/validate-mission.js'
export { type ColonyContractsOptions, colonyContracts } from './plugin.js'
export { evaluateDataScope } from './policy/evaluate-data-scope.js'
export { evaluateTool } from './policy/evaluate-tool.js'
export { evaluateWriteback } from './policy/evaluate-writeback.js'
export { POLICY_GATE_PRODUCER } from './policy/latest-decision.js'
export type { PolicyConfig } from './policy/policy-config.js'
export type { TaskPolicy } from './policy/task-policy.js'
export { VERDICT_CODES, type Verdict, type VerdictCode } from './policy/verdict.js'
export { type ColonyContracts, contractsRef } from './ref.js'
export type { ArtifactKind, Upcaster } from './registry/artifact-kind.js'
export { ArtifactRegistry } from './registry/artifact-registry.js'
export { type AggregationPacket, AggregationPacketSchema } from './schemas/aggregation-packet.js'
export {
  ARTIFACT_ID_FIELDS,
  type Artifact,
  type ArtifactName,
  artifactSchemas,
  isOfKind,
  type StoredArtifact,
} from './schemas/artifact.js'
export { type LibrarianPass, LibrarianPassSchema } from './schemas/librarian-pass.js'
export { type MissionEnvelope, MissionEnvelopeSchema } from './schemas/mission-envelope.js'
export {
  type MissionTask,
  type MissionTaskGraph,
  MissionTaskGraphSchema,
  MissionTaskSchema,
} from './schemas/mission-task-graph.js'
export { LEVELS, type Level, type RoleType, TASK_ROLE_TYPES, type TaskRoleType } from './schemas/parts.js'
export { DECISION_TYPES, type PolicyDecision, PolicyDecisionSchema } from './schemas/policy-decision.js'
export { type PromptPackage, PromptPackageSchema } from './schemas/prompt-package.js'
export { type ResearchArtifact, ResearchArtifactSchema } from './schemas/research-artifact.js'
export { REVIEW_STATUSES, type ReviewPacket, ReviewPacketSchema } from './schemas/review-packet.js'
export { type RootMetadata, RootMetadataSchema } from './schemas/root-metadata.js'
export { type WorkerResult, WorkerResultSchema } from './schemas/worker-result.js'
export { type WritebackProposal, WritebackProposalSchema } from './schemas/writeback-proposal.js'
export { colonyCollections } from './store/collections.js'
export { ColonyStore, type ColonyStoreOptions, type PutManyOptions } from './store/colony-store.js'
export type { ApplicationFilter, ArtifactFilter, MissionFilter, PageOptions } from './store/filters.js'
export type { Scope } from './store/find-one.js'
export type { MissionLedger } from './store/mission-ledger.js'
export type { PutPlan } from './store/put-plan.js'
export type { PutResult } from './store/put-result.js'
export type { TaskRecord } from './store/records.js'
export type { TenantReader } from './store/tenant-reader.js'
export {
  ARTIFACT_PROBLEM_CODES,
  type ArtifactProblem,
  type ArtifactProblemCode,
  type CheckResult,
} from './validation/problem.js'
export { isArtifact, parseArtifact, validateArtifact } from './validation/validate-artifact.js'
export type { ValidationResult } from './validation/validation-result.js'
export {
  type ApplyOptions,
  type ListedProposal,
  PROPOSAL_STATUSES,
  type ProposalDecision,
  type ProposalFilter,
  type ProposalState,
  type ProposalStatus,
  Proposals,
  type ProposalsOptions,
  type WritebackContext,
  type WritebackHandler,
} from './writeback/proposals.js'
export {
  APPLICATION_STATUSES,
  type ApplicationStatus,
  type WritebackApplication,
  WritebackApplicationSchema,
} from './writeback/writeback-application.js'
