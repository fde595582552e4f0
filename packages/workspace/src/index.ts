export {
  Agent,
  type AgentContextOptions,
  type AgentOptions,
  type AgentReply,
  createAgent,
  type RunOptions,
} from './agent/agent.js'
export type { AgentStream } from './agent/agent-stream.js'
export type { ChatMessage, Model, ModelOptions, ModelOutput, ModelPart, Usage } from './agent/model.js'
export { type OpenAiModelOptions, openAiModel } from './agent/openai-model.js'
export type { AgentTool, ToolCall, ToolDefinition } from './agent/tool.js'
export {
  type BuildContextOptions,
  ContextBuilder,
  type ContextBuilderOptions,
  type InsightSource,
} from './context/context-builder.js'
export { WORKSPACE_ERROR_CODES, type WorkspaceErrorCode } from './errors.js'
export { type DataFiles, dataFiles } from './folder/data-files.js'
export { type InitResult, type InitWorkspaceOptions, initWorkspace } from './folder/init-workspace.js'
export { BOOTSTRAP_PROMPT_FILES, WorkspaceLayout } from './folder/layout.js'
export { readMemoryMd, readPromptFiles } from './folder/read-folder.js'
export { listSkills, readSkill, type SkillEntry } from './folder/skills.js'
export type { RuleExplanation } from './graph/explain.js'
export { Node, Node as WorkspaceNode, type NodeInput } from './graph/node.js'
export { NodeType } from './graph/node-type.js'
export {
  type NodeRecord,
  NodeRecordSchema,
  type RuleRecord,
  RuleRecordSchema,
  type WorkspaceRecord,
  WorkspaceRecordSchema,
} from './graph/records.js'
export { Rule, type RuleInput } from './graph/rule.js'
export type { RuleMatch } from './graph/rule-match.js'
export { RulePriority } from './graph/rule-priority.js'
export type { ActionHandler, ActionReport, RunActionsOptions } from './graph/run-actions.js'
export {
  type NetworkSummary,
  Workspace,
  type WorkspaceData,
  type WorkspaceInput,
  type WorkspaceOptions,
} from './graph/workspace.js'
export { type DefaultSetup, ensureDefaultSetup } from './manager/default-setup.js'
export type { NewWorkspace, WorkspacePatch } from './manager/edit-workspaces.js'
export { type EnsuredWorkspace, type EnsureWorkspaceOptions, ensureWorkspace } from './manager/ensure-workspace.js'
export type { WorkspaceProblem } from './manager/problem.js'
export { findWorkspace, resolveWorkspace } from './manager/resolve-workspace.js'
export { workspacesCollection } from './manager/stored-records.js'
export { WorkspaceManager, type WorkspaceManagerOptions, type Workspaces } from './manager/workspace-manager.js'
export { type AppendHistoryOptions, appendHistory } from './memory/history.js'
export { type Insight, type InsightInput, Insights } from './memory/insights.js'
export { readMemory, upsertMemorySection, writeMemory } from './memory/memory.js'
export {
  type Session,
  type SessionContent,
  type SessionEntry,
  type SessionMessage,
  type SessionProblem,
  SessionStore,
} from './memory/session-store.js'
export { type WorkspacePluginOptions, workspace } from './plugin/plugin.js'
export { type WorkspaceTransaction, workspaceRef } from './plugin/ref.js'
export { WorkspaceApi } from './plugin/workspace-api.js'
