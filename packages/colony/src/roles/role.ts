import type {
  ArtifactProblem,
  LibrarianPass,
  MissionEnvelope,
  MissionTask,
  MissionTaskGraph,
  PromptPackage,
  StoredArtifact,
  TaskRoleType,
} from '@minions/colony-contracts'
import type { JsonObject, JsonValue } from '@minions/core/json'
import type { LanguageModels } from '@minions/core/plugin'
import type { SkillLog } from '@minions/skills-runtime'
import type { Draft } from './draft.js'
import type { RoleReads } from './role-contracts.js'

/** The input of a role: its task, and the artifacts of its direct and indirect dependencies. */
export interface RoleInput<Role extends TaskRoleType = TaskRoleType> {
  readonly envelope: MissionEnvelope
  /** The latest graph; absent for the first plan. */
  readonly graph: Role extends 'planner' ? MissionTaskGraph | undefined : MissionTaskGraph
  readonly task: Role extends 'planner' ? MissionTask | undefined : MissionTask
  /** The prompt package for this task. */
  readonly package: PromptPackage | undefined
  /** The librarian passes for this task, valid or not. */
  readonly passes: readonly LibrarianPass[]
  /** The artifacts of one kind, in the order of the graph. */
  readonly read: <Name extends RoleReads<Role>>(name: Name) => readonly StoredArtifact<Name>[]
}

/** The texts of a versioned prompt, rendered for one task. */
export type RenderedPrompt = {
  readonly template_id: string
  readonly template_version: string
  readonly system_prompt: string
  readonly task_prompt: string
}

/** A recorded answer. */
export interface RecordedAnswer {
  readonly value: JsonValue
  /** Counted against the token budget of the mission. */
  readonly tokens: number
}

/**
 * The context of a role. Everything from outside passes through it and is recorded, so that a replay gets the same
 * answers without new requests, and an interrupted task does not pay twice.
 */
export interface RoleContext {
  /** Aborted when the mission is cancelled, has used up its time, or the app is closed. */
  readonly signal: AbortSignal
  /** The time of the task as RFC 3339. It is fixed while the role works, and the same in a replay. */
  readonly now: string
  /** 1 for the first attempt at the task. */
  readonly attempt: number
  readonly log: SkillLog
  /** Models of the app, if it has any. Call them inside `ask`, so that the answer is recorded. */
  readonly models?: LanguageModels | undefined
  /** Tokens that the mission may still use; infinite without a budget. */
  readonly tokensLeft: number
  /** True if a tool or a skill is registered under this name, whether or not the task may use it. */
  hasTool(name: string): boolean
  /**
   * Calls a tool, or runs a skill of the registry as one, if the policy gate lets the task use it. Throws
   * `POLICY_DENIED`, `TOOL_MISSING`, `APPROVAL_REJECTED`, `APPROVAL_EXPIRED`, or `TOOL_FAILED` when the tool throws. If
   * a person must approve the call first, the role stops here and runs again from the start, with the same answers,
   * once a decision is made.
   */
  tool(name: string, parameters?: JsonObject): Promise<JsonValue>
  /** Asks the policy gate for a data scope. Throws `POLICY_DENIED`. */
  requireData(scope: string): Promise<void>
  /** Calls a model, or anything else whose answer must be recorded. An answer to an equal request is used again. */
  ask(request: JsonValue, produce: () => Promise<RecordedAnswer>): Promise<JsonValue>
  /** Counts tokens that were used elsewhere. */
  spend(tokens: number): Promise<void>
  /** Renders the prompt of a role for a task, with the context of the workspace. */
  prompt(task: MissionTask): Promise<RenderedPrompt>
  /** Problems of what the role is about to return; nothing is stored. */
  problems(output: unknown): readonly ArtifactProblem[]
}

/** What each role must return. */
export interface RoleOutputs {
  readonly planner: Draft<'mission_task_graph'>
  readonly prompt_master: readonly Draft<'prompt_package'>[]
  readonly researcher: Draft<'research_artifact'> | readonly Draft<'research_artifact'>[]
  readonly librarian: readonly Draft<'librarian_pass'>[]
  readonly worker: Draft<'worker_result'> | readonly Draft<'worker_result'>[]
  readonly aggregator: Draft<'aggregation_packet'>
  readonly reviewer: {
    readonly review: Draft<'review_packet'>
    readonly proposals?: readonly Draft<'writeback_proposal'>[]
  }
}

/** The handler of one role. */
export type RoleHandler<Role extends TaskRoleType> = (
  input: RoleInput<Role>,
  context: RoleContext,
) => RoleOutputs[Role] | Promise<RoleOutputs[Role]>

/** A tool that roles can call. */
export type Tool = (
  parameters: JsonObject,
  context: {
    readonly signal: AbortSignal
    readonly envelope: MissionEnvelope
    readonly task: MissionTask
    /** Stays the same when the call is repeated after a crash, so that the tool can act exactly once. */
    readonly idempotencyKey: string
  },
) => JsonValue | Promise<JsonValue>

export type Tools = Readonly<Record<string, Tool>>

/** A handler for each role that missions use. */
export type Roles = { readonly [Role in TaskRoleType]?: RoleHandler<Role> } & { readonly tools?: Tools }
