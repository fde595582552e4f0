export { COLONY_ERROR_CODES, type ColonyErrorCode } from './errors.js'
export {
  type ExampleLead,
  type ExampleMission,
  type ExampleReport,
  type ExampleRule,
  exampleMission,
} from './example/example-mission.js'
export { exampleRoles } from './example/example-roles.js'
export { exampleTools } from './example/example-tools.js'
export { PLAN, type TaskStatus } from './mission/live-mission.js'
export { defaultPromptId, type PromptSettings } from './mission/render-package.js'
export type { FailurePolicy, MissionServices, MissionSettings } from './mission/services.js'
export { type PriorityOf, TaskQueue } from './mission/task-queue.js'
export { missionDiagram } from './picture/mermaid.js'
export { missionText } from './picture/text.js'
export { type ColonyOptions, colony } from './plugin.js'
export { colonyRef } from './ref.js'
export { type Difference, firstDifference } from './replay/first-difference.js'
export type { ReplayDifference, ReplayReport } from './replay/replay-mission.js'
export {
  type DefinedRole,
  type DefinedRoleInput,
  defineRole,
  type RoleContract,
  type RoleDefinition,
} from './roles/define-role.js'
export { deterministicRoles } from './roles/deterministic/deterministic-roles.js'
export type { Draft } from './roles/draft.js'
export { type ModelRolesOptions, modelRoles, type RoleModel } from './roles/model/model-roles.js'
export type {
  RecordedAnswer,
  RenderedPrompt,
  RoleContext,
  RoleHandler,
  RoleInput,
  RoleOutputs,
  Roles,
  Tool,
  Tools,
} from './roles/role.js'
export type { GivenRoles } from './roles/role-book.js'
export { ROLE_READS, ROLE_RETURNS, type RoleReads, type RoleReturns } from './roles/role-contracts.js'
export type { ListedMission, MissionListFilter } from './runner/list-missions.js'
export type { MissionRunner } from './runner/mission-runner.js'
export type { MissionProgress, MissionResult, TaskProgress } from './runner/mission-status.js'
export type { ResumeMissionOptions, RunMissionOptions, TenantScope } from './runner/run-options.js'
export { TenantMissions } from './runner/tenant-missions.js'
export {
  type Answer,
  type AnswerKind,
  type ArtifactRef,
  MISSION_STATUSES,
  type MissionRun,
  type MissionStatus,
  missionCollections,
  type TaskRun,
} from './state/collections.js'
