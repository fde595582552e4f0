import { defineOperation } from '@minions/core/operations'
import { Type } from 'typebox'
import { WorkspaceRecordSchema } from '../graph/records.js'
import { workspaceRef } from '../plugin/ref.js'
import { closed, exampleWorkspace, WorkspaceName } from './inputs.js'

const deps = { workspace: workspaceRef }
const given = [exampleWorkspace]

const Name = Type.String({ minLength: 1, description: 'Unique name.', examples: ['research'] })
const Description = Type.Optional(Type.String({ description: 'Purpose.', examples: ['Papers to read'] }))

export const add = defineOperation({
  name: 'workspaces.add',
  summary: 'Create a workspace',
  access: 'write',
  input: Type.Object(
    {
      name: Name,
      description: Description,
      sample: Type.Optional(Type.Boolean({ description: 'With example nodes, rules and state.', examples: [true] })),
    },
    closed,
  ),
  output: WorkspaceRecordSchema,
  examples: [
    { title: 'An empty workspace', input: { name: 'research', description: 'Papers to read' } },
    { title: 'One to try things with', input: { name: 'demo', sample: true } },
  ],
  deps,
  run: async (input, { workspace }) => (await workspace.add(input)).toDict(),
})

export const list = defineOperation({
  name: 'workspaces.list',
  summary: 'List all workspaces',
  access: 'read',
  input: Type.Object({}, closed),
  output: Type.Array(WorkspaceRecordSchema),
  examples: [{ title: 'All workspaces', given, input: {} }],
  deps,
  run: async (_, { workspace }) => Object.values(await workspace.loadWorkspaces()).map((each) => each.toDict()),
})

export const get = defineOperation({
  name: 'workspaces.get',
  summary: 'Get a workspace',
  access: 'read',
  input: Type.Object({ workspace: WorkspaceName }, closed),
  output: WorkspaceRecordSchema,
  examples: [{ title: 'By name', given, input: { workspace: 'research' } }],
  deps,
  run: async (input, { workspace }) => (await workspace.find(input.workspace)).toDict(),
})

export const update = defineOperation({
  name: 'workspaces.update',
  summary: 'Change the name or description of a workspace',
  access: 'write',
  input: Type.Object({ workspace: WorkspaceName, name: Type.Optional(Name), description: Description }, closed),
  output: WorkspaceRecordSchema,
  examples: [{ title: 'Another name', given, input: { workspace: 'research', name: 'papers' } }],
  deps,
  run: async ({ workspace: ref, ...patch }, { workspace }) => (await workspace.change(ref, patch)).toDict(),
})

export const remove = defineOperation({
  name: 'workspaces.remove',
  summary: 'Remove a workspace; its folder stays',
  access: 'write',
  destructive: true,
  input: Type.Object({ workspace: WorkspaceName }, closed),
  output: Type.Object({ removed: Type.String({ description: 'Its id.' }), name: Type.String() }),
  examples: [{ title: 'Remove a workspace', given, input: { workspace: 'research' } }],
  deps,
  async run(input, { workspace }) {
    const { id, name } = await workspace.remove(input.workspace)
    return { removed: id, name }
  },
})

export const setState = defineOperation({
  name: 'workspaces.setState',
  summary: 'Set one value of the state of a workspace',
  access: 'write',
  input: Type.Object(
    {
      workspace: WorkspaceName,
      key: Type.String({ minLength: 1, description: 'Name of the value.', examples: ['task_priority'] }),
      value: Type.Unknown({ description: 'Any JSON value.', examples: ['high'] }),
    },
    closed,
  ),
  output: Type.Record(Type.String(), Type.Unknown(), { description: 'The whole state.' }),
  examples: [{ title: 'Priority', given, input: { workspace: 'research', key: 'task_priority', value: 'high' } }],
  deps,
  run: async ({ workspace: ref, key, value }, { workspace }) => (await workspace.setState(ref, key, value)).state,
})
