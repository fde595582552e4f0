import { pluginRef } from '@minions/core/plugin'
import type { WorkspaceApi } from './workspace-api.js'

/**
 * Workspaces and insights inside a transaction. Saving workspaces takes part in it where they are kept in the store;
 * workspaces in a file are read-only there.
 */
export type WorkspaceTransaction = Pick<
  WorkspaceApi,
  'insights' | 'context' | 'createWorkspace' | 'loadWorkspaces' | 'saveWorkspaces' | 'resolve'
>

/** The workspaces of an app, as a dependency of other plugins. */
export const workspaceRef = pluginRef<WorkspaceApi, WorkspaceTransaction>()('@minions/workspace', 'workspace')
