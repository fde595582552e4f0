import { join } from 'node:path'
import { guarded } from '@minions/core/plugin'
import { workspaceError } from '../errors.js'
import { resolvePath } from '../files/paths.js'
import { initWorkspace } from '../folder/init-workspace.js'
import type { Workspace } from '../graph/workspace.js'
import { resolveWorkspace } from './resolve-workspace.js'
import type { WorkspaceManager, Workspaces } from './workspace-manager.js'

export interface EnsureWorkspaceOptions {
  /** Create and save a workspace with `ref` as its name when there is none. */
  readonly createMissing?: boolean
  /** Create the folder, adding what is missing. */
  readonly initFiles?: boolean
}

export interface EnsuredWorkspace {
  readonly workspace: Workspace
  /** The absolute path of its folder, which need not exist. */
  readonly rootPath: string
}

/** Finds a workspace, or optionally creates one. Throws `NOT_FOUND`, or `AMBIGUOUS_REFERENCE` when several match. */
export const ensureWorkspace = guarded(
  'ensureWorkspace',
  async (manager: WorkspaceManager, ref: string, options: EnsureWorkspaceOptions = {}): Promise<EnsuredWorkspace> => {
    const found = resolveWorkspace(await manager.loadWorkspaces(), ref)
    if (!found && !options.createMissing) throw notFound(manager, ref)
    const settled = found && (found.root_path !== null || !options.initFiles)
    // Checks again under the lock: another process may have created it in the meantime.
    const workspace = settled
      ? found
      : await manager.update((workspaces) => {
          const mayCreate = options.createMissing && typeof ref === 'string' && ref.trim() !== ''
          if (!mayCreate && !resolveWorkspace(workspaces, ref)) throw notFound(manager, ref)
          return settle(manager, workspaces, ref)
        })
    const rootPath = rootOf(manager, workspace)
    if (options.initFiles) await initWorkspace(rootPath)
    return { workspace, rootPath }
  },
)

/** The folder of a workspace: its `root_path`, or the default location below the configuration directory. */
export function rootOf(manager: WorkspaceManager, workspace: Workspace): string {
  if (workspace.root_path !== null) return resolvePath(workspace.root_path)
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(workspace.id)) {
    const message = `The id ${JSON.stringify(workspace.id)} cannot name a folder. Set root_path.`
    throw workspaceError('PATH_REFUSED', message, { details: { id: workspace.id, reason: 'id' } })
  }
  return join(manager.configDir, 'workspaces', `ws_${workspace.id}`)
}

/** The workspace, with its folder; a new one if there is none. */
export function settle(manager: WorkspaceManager, workspaces: Workspaces, ref: string, description = ''): Workspace {
  let workspace = resolveWorkspace(workspaces, ref)
  if (!workspace) {
    workspace = manager.createWorkspace(ref, description)
    workspaces[workspace.id] = workspace
  }
  workspace.root_path ??= rootOf(manager, workspace)
  return workspace
}

function notFound(manager: WorkspaceManager, ref: string): Error {
  const message = `No workspace in ${manager.path} has the id or name ${JSON.stringify(ref)}. Pass createMissing to create one.`
  return workspaceError('NOT_FOUND', message, { details: { ref: String(ref) } })
}
