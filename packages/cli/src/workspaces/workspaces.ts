import { join } from 'node:path'
import {
  ContextBuilder,
  findWorkspace,
  SessionStore,
  type Workspace,
  WorkspaceManager,
  workspace as workspacePlugin,
} from '@minions/workspace'
import { homeOf } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { note } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'

/** The workspaces of a command, and their services. */
export interface WorkspaceLocation {
  readonly manager: WorkspaceManager
  rootOf(workspace: Workspace): string
  sessions(workspace: Workspace): SessionStore
  context(workspace: Workspace): Promise<string>
}

/** Runs `work` on `workspaces.json` of the home folder, or on the store when `--storage` names one. */
export async function withWorkspaces(cli: Cli, work: (location: WorkspaceLocation) => Promise<void>): Promise<void> {
  const configDir = homeOf(cli).value
  if (cli.options.storage !== undefined) {
    // Files need no app.
    const { withApp } = await import('../app/app.js')
    return withApp(cli, [workspacePlugin({ configDir, store: 'storage' })], ({ workspace: api }) =>
      work({
        manager: api,
        rootOf: (workspace) => api.rootOf(workspace),
        sessions: (workspace) => api.sessions(workspace),
        context: (workspace) => api.buildContext(workspace),
      }),
    )
  }
  const manager = new WorkspaceManager(configDir, { onProblem: ({ message }) => note(cli, message) })
  const rootOf = (workspace: Workspace) => workspace.root_path ?? join(configDir, 'workspaces', `ws_${workspace.id}`)
  return work({
    manager,
    rootOf,
    sessions: (workspace) => new SessionStore(rootOf(workspace)),
    context: (workspace) => new ContextBuilder().build(workspace, rootOf(workspace)),
  })
}

/** Adds a command whose first argument is a workspace. */
export function workspaceCommand(group: Command, name: string, description: string) {
  return addCommand(group, name, description).argument('<workspace>', 'name, id, or id prefix')
}

/** Runs `work` with the workspace that a command names. Throws `NOT_FOUND` or `AMBIGUOUS_REFERENCE`. */
export function withWorkspace(
  cli: Cli,
  reference: string,
  work: (location: WorkspaceLocation, workspace: Workspace) => Promise<void>,
): Promise<void> {
  return withWorkspaces(cli, async (location) =>
    work(location, findWorkspace(await location.manager.loadWorkspaces(), reference)),
  )
}
