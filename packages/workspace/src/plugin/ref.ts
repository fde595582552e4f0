import { pluginRef } from '@minions/core/plugin'
import type { WorkspaceApi } from './workspace-api.js'

/**
 * Workspaces and insights inside a transaction. Saving workspaces takes part in it where they are kept in the store; where
 * they are kept in a file they can only be read.
 */
export type WorkspaceTransaction = Pick<
  WorkspaceApi,
  'insights' | 'context' | 'createWorkspace' | 'loadWorkspaces' | 'saveWorkspaces' | 'resolve'
>

/** The workspaces of an app, as other plugins depend on them. */
export const workspaceRef = pluginRef<WorkspaceApi, WorkspaceTransaction>()('@minions/workspace', 'workspace')
