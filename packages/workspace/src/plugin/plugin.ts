import { definePlugin, type Plugin, tokens } from '@minions/core'
import { type Static, Type } from 'typebox'
import { workspacesCollection } from '../manager/storage-place.js'
import { WorkspaceApi } from './workspace-api.js'

const WorkspacePluginOptionsSchema = Type.Object(
  {
    configDir: Type.String({ minLength: 1, description: 'The directory of workspaces.json and of the folders.' }),
    store: Type.Optional(
      Type.Enum(['files', 'storage'], { description: 'Where workspaces are kept: workspaces.json, or the store.' }),
    ),
  },
  { additionalProperties: false },
)

export type WorkspacePluginOptions = Static<typeof WorkspacePluginOptionsSchema>

/** The workspaces of a configuration directory as `app.workspace`; with `store: 'storage'` they live in the app's store. */
export function workspace(options: WorkspacePluginOptions): Plugin<'workspace', WorkspaceApi> {
  const inStore = options?.store === 'storage'
  return definePlugin({
    name: '@minions/workspace',
    namespace: 'workspace',
    version: '0.1.0',
    collections: [workspacesCollection],
    options: { schema: WorkspacePluginOptionsSchema, value: options },
    setup: ({ minions, storage, resolve, log }) =>
      new WorkspaceApi(options.configDir, minions, {
        clock: resolve(tokens.clock),
        onProblem: (problem) => log.warn(problem.message, { ...problem }),
        ...(inStore && { storage }),
      }),
    join: (_api, { minions, storage }) =>
      new WorkspaceApi(options.configDir, minions, inStore ? { storage } : { readOnly: true }),
  })
}
