import { property } from '@minions/core/operations'
import { Type } from 'typebox'
import { RuleExplanationSchema } from '../graph/explain.js'
import { RuleRecordSchema } from '../graph/records.js'
import { RuleMatchSchema } from '../graph/rule-match.js'
import { RulePriority } from '../graph/rule-priority.js'
import { exampleWorkspace, operation, reading, WorkspaceName } from './inputs.js'

const given = [exampleWorkspace]

const PRIORITIES = Object.keys(RulePriority) as (keyof typeof RulePriority)[]

const Values = (description: string, example: object) =>
  Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description, examples: [example] }))

export const addRule = operation({
  name: 'workspaces.addRule',
  summary: 'Add a rule to a workspace',
  access: 'write',
  input: {
    workspace: WorkspaceName,
    name: property.text('Name.', 'Has agent', { minLength: 1 }),
    description: Type.Optional(property.text('Purpose.', 'Hands out tasks')),
    priority: property.choice(PRIORITIES, 'Priority; higher ones come first.', 'HIGH', { default: 'MEDIUM' }),
    condition: Values('Condition; default: always.', { type: 'node_type_exists', node_type: 'agent' }),
    action: Values('The action to take.', { type: 'assign_task' }),
    enabled: property.flag('False to disable it; default true.', false),
  },
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
  run: async ({ workspace: ref, priority, ...rule }, { workspace }) =>
    (await workspace.addRule(ref, { ...rule, priority: RulePriority[priority] })).toDict(),
})

export const removeRule = operation({
  name: 'workspaces.removeRule',
  summary: 'Remove a rule from a workspace',
  access: 'write',
  destructive: true,
  input: {
    workspace: WorkspaceName,
    rule: property.text('Id or unique name of the rule.', 'Has agent', { minLength: 1 }),
  },
  output: Type.Object({ removed: Type.String({ description: 'Its id.' }), name: Type.String() }),
  examples: [{ title: 'By name', given, input: { workspace: 'research', rule: 'Check knowledge' } }],
  async run(input, { workspace }) {
    const { id, name } = await workspace.removeRule(input.workspace, input.rule)
    return { removed: id, name }
  },
})

export const evaluate = operation({
  name: 'workspaces.evaluate',
  summary: 'List the rules that currently hold, with their actions',
  ...reading,
  output: Type.Array(RuleMatchSchema),
  examples: [{ title: 'Rules of a sample', given, input: { workspace: 'research' } }],
  run: async (input, { workspace }) => (await workspace.find(input.workspace)).evaluateStateLogic(),
})

export const explain = operation({
  name: 'workspaces.explain',
  summary: 'Explain for every rule why it does or does not hold',
  ...reading,
  output: Type.Array(RuleExplanationSchema),
  examples: [{ title: 'Rules of a sample', given, input: { workspace: 'research' } }],
  run: async (input, { workspace }) => (await workspace.find(input.workspace)).explain(),
})
