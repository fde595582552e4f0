import type { MinionsAccess } from '@minions/core'
import { type AgentRunner, guardMethods, type LanguageModels, takeOptions } from '@minions/core/plugin'
import { Agent, type AgentOptions, createAgent } from '../agent/agent.js'
import { appModel } from '../agent/app-model.js'
import { type BuildContextOptions, ContextBuilder } from '../context/context-builder.js'
import { workspaceError } from '../errors.js'
import { type DataFiles, dataFiles } from '../folder/data-files.js'
import { type InitResult, type InitWorkspaceOptions, initWorkspace } from '../folder/init-workspace.js'
import type { Workspace } from '../graph/workspace.js'
import { type DefaultSetup, ensureDefaultSetup } from '../manager/default-setup.js'
import {
  type EnsuredWorkspace,
  type EnsureWorkspaceOptions,
  ensureWorkspace,
  rootOf,
} from '../manager/ensure-workspace.js'
import { findWorkspace, resolveWorkspace } from '../manager/resolve-workspace.js'
import { WorkspaceManager, type WorkspaceManagerOptions } from '../manager/workspace-manager.js'
import { Insights } from '../memory/insights.js'
import { SessionStore } from '../memory/session-store.js'

interface WorkspaceApiOptions extends WorkspaceManagerOptions {
  /** Models of the app, for agents without a model. */
  readonly models?: LanguageModels | undefined
  /** The app's agent runner, for the same. */
  readonly runner?: AgentRunner | undefined
}

/** The API under `app.workspace`: the manager, with everything that belongs to its workspaces. */
export class WorkspaceApi extends WorkspaceManager {
  readonly insights: Insights
  /** Builds contexts that include the newest insights. */
  readonly context: ContextBuilder
  readonly #options: WorkspaceManagerOptions
  readonly #models: LanguageModels | undefined
  readonly #runner: AgentRunner | undefined

  constructor(configDir: string, minions: MinionsAccess, given: WorkspaceApiOptions) {
    const { models, runner, ...options } = takeOptions('The options of workspaces', given)
    super(configDir, options)
    this.#options = options
    this.#models = models
    this.#runner = runner
    this.insights = new Insights(minions)
    this.context = new ContextBuilder({
      insights: async () => (await this.insights.latest()).map(({ fields }) => fields.content),
    })
  }

  /** A workspace by id, name or unique prefix of its id. Throws `NOT_FOUND` or `AMBIGUOUS_REFERENCE`. */
  async find(ref: string): Promise<Workspace> {
    return findWorkspace(await this.loadWorkspaces(), ref)
  }

  /** The same, or undefined if there is none. */
  async resolve(ref: string): Promise<Workspace | undefined> {
    return resolveWorkspace(await this.loadWorkspaces(), ref)
  }

  /** Finds a workspace, or optionally creates one. Throws `NOT_FOUND`. */
  ensure(ref: string, options?: EnsureWorkspaceOptions): Promise<EnsuredWorkspace> {
    return ensureWorkspace(this, ref, options)
  }

  /** The first workspace and agent, created if missing. */
  ensureDefaultSetup(): Promise<DefaultSetup> {
    return ensureDefaultSetup(this.configDir, this.#options)
  }

  /** The folder of a workspace. */
  rootOf(workspace: Workspace): string {
    return rootOf(this, workspace)
  }

  /** Creates the folder of a workspace, adding what is missing. */
  initFiles(workspace: Workspace, options?: InitWorkspaceOptions): Promise<InitResult> {
    return initWorkspace(this.rootOf(workspace), options)
  }

  /** The context of an agent for a workspace. */
  buildContext(workspace: Workspace, options?: BuildContextOptions): Promise<string> {
    return this.context.build(workspace, this.rootOf(workspace), options)
  }

  /** The chat sessions of a workspace. */
  sessions(workspace: Workspace): SessionStore {
    return new SessionStore(this.rootOf(workspace), this.#options)
  }

  /** The files below `data/` of a workspace. */
  dataFiles(workspace: Workspace): DataFiles {
    return dataFiles({ name: workspace.name, root_path: this.rootOf(workspace) })
  }

  /**
   * An agent whose context includes the newest insights. Without a model of its own, it uses those of the app, with the
   * role `workspace`, and its turns are run and recorded by `agents()` if the app has it; throws `VALIDATION_FAILED`
   * where there are no models.
   */
  createAgent(name: string, options: Partial<AgentOptions> = {}): Agent {
    const runner = this.#runner
    if (runner && !options.model) return new Agent(name, { contextBuilder: this.context, ...options, runner })
    const model = options.model ?? (this.#models && appModel(this.#models))
    if (!model) {
      const remedy = 'pass one, or add models() of @minions/models to the plugins'
      throw workspaceError('VALIDATION_FAILED', `The agent "${name}" needs a model: ${remedy}.`)
    }
    return createAgent(name, { contextBuilder: this.context, ...options, model })
  }
}

guardMethods(WorkspaceApi)
