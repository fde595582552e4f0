import { eventSources, operations } from '@minions/core/operations'
import { agentRunner, definePlugin, guarded, languageModels, optional, tokens } from '@minions/core/plugin'
import { strictObject } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import manifest from '../../package.json' with { type: 'json' }
import { workspacesCollection } from '../manager/stored-records.js'
import { workspaceOperations } from '../operations/workspace-operations.js'
import { workspaceRef } from './ref.js'
import { WorkspaceApi } from './workspace-api.js'

const WorkspacePluginOptionsSchema = strictObject({
  configDir: Type.String({ minLength: 1, description: 'The directory of workspaces.json and of the folders.' }),
  store: Type.Optional(
    Type.Enum(['files', 'storage'], { description: 'Storage of workspaces: workspaces.json, or the store.' }),
  ),
})

export type WorkspacePluginOptions = Static<typeof WorkspacePluginOptionsSchema>

/** The workspaces of a configuration directory as `app.workspace`; with `store: 'storage'` they live in the app's store. */
export const workspace = guarded('workspace', (options: WorkspacePluginOptions) => {
  const inStore = options?.store === 'storage'
  return definePlugin({
    ref: workspaceRef,
    version: manifest.version,
    deps: {
      client: tokens.client,
      store: tokens.store,
      clock: tokens.clock,
      log: tokens.logger,
      models: optional(languageModels),
      runner: optional(agentRunner),
    },
    collections: [workspacesCollection],
    contributes: [
      [operations, workspaceOperations],
      [eventSources, [{ collection: workspacesCollection, operation: 'workspaces.get' }]],
    ],
    options: { schema: WorkspacePluginOptionsSchema, value: options },
    setup: ({ client, store, clock, log, models, runner }) =>
      new WorkspaceApi(options.configDir, client, {
        clock,
        models,
        runner,
        onProblem: (problem) => log.warn(problem.message, { ...problem }),
        ...(inStore && { storage: store }),
      }),
    join: (_api, { client, store, clock }) =>
      new WorkspaceApi(options.configDir, client, { clock, ...(inStore ? { storage: store } : { readOnly: true }) }),
  })
})
