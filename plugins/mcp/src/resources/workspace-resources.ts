import { operationRef } from '@minions/core/operations'
import { Type } from 'typebox'
import type { ResourceProvider } from '../door/features.js'
import { jsonContents, textContents } from './json-contents.js'
import { parseResourceUri, resourceUri } from './resource-uri.js'

const listWorkspaces = operationRef(
  'workspaces.list',
  Type.Array(Type.Object({ id: Type.String(), name: Type.String(), description: Type.Optional(Type.String()) })),
)

const workspaceContext = operationRef('workspaces.context', Type.Object({ context: Type.String() }))

export const WORKSPACES = 'workspaces'

const TEMPLATE = `minions://${WORKSPACES}/{workspace}`

const CONTEXT = 'context'

/** Workspaces as resources, each with its context for agents. */
export const workspaceResources: ResourceProvider = {
  async list(call) {
    if (!call.may(listWorkspaces.name)) return { items: [] }
    const all = await call.run(listWorkspaces, {})
    const items = all.flatMap(({ id, name, description }) => [
      {
        uri: resourceUri(WORKSPACES, id),
        name,
        ...(description && { description }),
        mimeType: 'application/json',
      },
      {
        uri: resourceUri(WORKSPACES, id, CONTEXT),
        name: `${name}: context`,
        description: 'The context of the workspace for agents.',
        mimeType: 'text/markdown',
      },
    ])
    return { items }
  },
  templates: (call) =>
    call.may('workspaces.get')
      ? [
          { uriTemplate: TEMPLATE, name: 'Workspace', description: 'A workspace.', mimeType: 'application/json' },
          {
            uriTemplate: `${TEMPLATE}/${CONTEXT}`,
            name: 'Workspace context',
            description: 'The context of a workspace for agents.',
            mimeType: 'text/markdown',
          },
        ]
      : [],
  async read(uri, call) {
    const { area, parts: [workspace, view, ...more] = [] } = parseResourceUri(uri) ?? {}
    if (area !== WORKSPACES || workspace === undefined || more.length > 0) return undefined
    if (view === undefined) return jsonContents(uri, await call.run('workspaces.get', { workspace }))
    if (view !== CONTEXT) return undefined
    const { context } = await call.run(workspaceContext, { workspace })
    return textContents(uri, context)
  },
  async complete(template, argument, value, call) {
    if (!template.startsWith(TEMPLATE) || argument !== 'workspace' || !call.may(listWorkspaces.name)) return undefined
    const all = await call.run(listWorkspaces, {})
    return all.flatMap(({ id, name }) => [name, id]).filter((each) => each.startsWith(value))
  },
}
