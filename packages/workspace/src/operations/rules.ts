import { defineOperation } from '@minions/core/operations'
import { Type } from 'typebox'
import { RuleExplanationSchema } from '../graph/explain.js'
import { RuleRecordSchema } from '../graph/records.js'
import { RuleMatchSchema } from '../graph/rule-match.js'
import { RulePriority } from '../graph/rule-priority.js'
import { workspaceRef } from '../plugin/ref.js'
import { closed, exampleWorkspace, WorkspaceName } from './inputs.js'

const deps = { workspace: workspaceRef }
const given = [exampleWorkspace]

const PRIORITIES = Object.keys(RulePriority) as (keyof typeof RulePriority)[]

const Values = (description: string, example: object) =>
  Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description, examples: [example] }))

export const addRule = defineOperation({
  name: 'workspaces.addRule',
  summary: 'Add a rule to a workspace',
  access: 'write',
  input: Type.Object(
    {
      workspace: WorkspaceName,
      name: Type.String({ minLength: 1, description: 'Name.', examples: ['Has agent'] }),
      description: Type.Optional(Type.String({ description: 'Purpose.', examples: ['Hands out tasks'] })),
      priority: Type.Enum(PRIORITIES, {
        default: 'MEDIUM',
        description: 'Priority; higher ones come first.',
        examples: ['HIGH'],
      }),
      condition: Values('Condition; default: always.', { type: 'node_type_exists', node_type: 'agent' }),
      action: Values('The action to take.', { type: 'assign_task' }),
      enabled: Type.Optional(Type.Boolean({ description: 'False to disable it; default true.', examples: [false] })),
    },
    closed,
  ),
  output: RuleRecordSchema,
  examples: [
    {
      title: 'A rule about agents',
      given,
      input: {
        workspace: 'research',
        name: 'Has agent',
        priority: 'HIGH',
        condition: { type: 'node_type_exists', node_type: 'agent' },
        action: { type: 'assign_task' },
      },
    },
  ],
  deps,
  run: async ({ workspace: ref, priority, ...rule }, { workspace }) =>
    (await workspace.addRule(ref, { ...rule, priority: RulePriority[priority] })).toDict(),
})

export const removeRule = defineOperation({
  name: 'workspaces.removeRule',
  summary: 'Remove a rule from a workspace',
  access: 'write',
  destructive: true,
  input: Type.Object(
    {
      workspace: WorkspaceName,
      rule: Type.String({ minLength: 1, description: 'Id or unique name of the rule.', examples: ['Has agent'] }),
    },
    closed,
  ),
  output: Type.Object({ removed: Type.String({ description: 'Its id.' }), name: Type.String() }),
  examples: [{ title: 'By name', given, input: { workspace: 'research', rule: 'Check knowledge' } }],
  deps,
  async run(input, { workspace }) {
    const { id, name } = await workspace.removeRule(input.workspace, input.rule)
    return { removed: id, name }
  },
})

export const evaluate = defineOperation({
  name: 'workspaces.evaluate',
  summary: 'List the rules that currently hold, with their actions',
  access: 'read',
  input: Type.Object({ workspace: WorkspaceName }, closed),
  output: Type.Array(RuleMatchSchema),
  examples: [{ title: 'Rules of a sample', given, input: { workspace: 'research' } }],
  deps,
  run: async (input, { workspace }) => (await workspace.find(input.workspace)).evaluateStateLogic(),
})

export const explain = defineOperation({
  name: 'workspaces.explain',
  summary: 'Explain for every rule why it does or does not hold',
  access: 'read',
  input: Type.Object({ workspace: WorkspaceName }, closed),
  output: Type.Array(RuleExplanationSchema),
  examples: [{ title: 'Rules of a sample', given, input: { workspace: 'research' } }],
  deps,
  run: async (input, { workspace }) => (await workspace.find(input.workspace)).explain(),
})
