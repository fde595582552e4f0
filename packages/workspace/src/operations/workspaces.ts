import { property } from '@minions/core/operations'
import { Type } from 'typebox'
import { WorkspaceRecordSchema } from '../graph/records.js'
import { exampleWorkspace, operation, reading, WorkspaceName } from './inputs.js'

const given = [exampleWorkspace]

const Name = property.text('Unique name.', 'research', { minLength: 1 })
const Description = Type.Optional(property.text('Purpose.', 'Papers to read'))

export const add = operation({
  name: 'workspaces.add',
  summary: 'Create a workspace',
  access: 'write',
  input: {
    name: Name,
    description: Description,
    sample: property.flag('With example nodes, rules and state.'),
  },
  output: WorkspaceRecordSchema,
  examples: [
    { title: 'An empty workspace', input: { name: 'research', description: 'Papers to read' } },
    { title: 'One to try things with', input: { name: 'demo', sample: true } },
  ],
  run: async (input, { workspace }) => (await workspace.add(input)).toDict(),
})

export const list = operation({
  name: 'workspaces.list',
  summary: 'List all workspaces',
  access: 'read',
  input: {},
  output: Type.Array(WorkspaceRecordSchema),
  examples: [{ title: 'All workspaces', given, input: {} }],
  run: async (_, { workspace }) => Object.values(await workspace.loadWorkspaces()).map((each) => each.toDict()),
})

export const get = operation({
  name: 'workspaces.get',
  summary: 'Get a workspace',
  ...reading,
  output: WorkspaceRecordSchema,
  examples: [{ title: 'By name', given, input: { workspace: 'research' } }],
  run: async (input, { workspace }) => (await workspace.find(input.workspace)).toDict(),
})

export const update = operation({
  name: 'workspaces.update',
  summary: 'Change the name or description of a workspace',
  access: 'write',
  input: { workspace: WorkspaceName, name: Type.Optional(Name), description: Description },
  output: WorkspaceRecordSchema,
  examples: [{ title: 'Another name', given, input: { workspace: 'research', name: 'papers' } }],
  run: async ({ workspace: ref, ...patch }, { workspace }) => (await workspace.change(ref, patch)).toDict(),
})

export const remove = operation({
  name: 'workspaces.remove',
  summary: 'Remove a workspace; its folder stays',
  access: 'write',
  destructive: true,
  input: { workspace: WorkspaceName },
  output: Type.Object({ removed: Type.String({ description: 'Its id.' }), name: Type.String() }),
  examples: [{ title: 'Remove a workspace', given, input: { workspace: 'research' } }],
  async run(input, { workspace }) {
    const { id, name } = await workspace.remove(input.workspace)
    return { removed: id, name }
  },
})

export const setState = operation({
  name: 'workspaces.setState',
  summary: 'Set one value of the state of a workspace',
  access: 'write',
  input: {
    workspace: WorkspaceName,
    key: property.text('Name of the value.', 'task_priority', { minLength: 1 }),
    value: Type.Unknown({ description: 'Any JSON value.', examples: ['high'] }),
  },
  output: Type.Record(Type.String(), Type.Unknown(), { description: 'The whole state.' }),
  examples: [{ title: 'Priority', given, input: { workspace: 'research', key: 'task_priority', value: 'high' } }],
  run: async ({ workspace: ref, key, value }, { workspace }) => (await workspace.setState(ref, key, value)).state,
})
