import { quote } from '@minions/core'
import { takeOptions } from '@minions/core/plugin'
import { type CompiledSchema, described, describeIssues, ownSchema } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { workspaceError } from '../errors.js'
import { NodeType } from './node-type.js'
import { RulePriority } from './rule-priority.js'

const text = Type.String()
const textOrNull = Type.Union([Type.String(), Type.Null()])
const object = Type.Record(Type.String(), Type.Unknown())

/** A node record in `workspaces.json`. */
export const NodeRecordSchema = described(
  Type.Object({
    id: text,
    name: text,
    type: Type.Enum(Object.values(NodeType)),
    properties: object,
    connections: Type.Array(text),
    state: object,
    created_at: text,
  }),
  {
    id: 'Identifies the node.',
    name: 'Name.',
    type: 'Kind of node.',
    properties: 'Properties, by name.',
    connections: 'Ids of connected nodes.',
    state: 'State, by name.',
    created_at: 'When it was created.',
  },
)
export type NodeRecord = Static<typeof NodeRecordSchema>

/** A rule record in `workspaces.json`; `inherited_from` is `<workspace name>:<rule id>`. */
export const RuleRecordSchema = described(
  Type.Object({
    id: text,
    name: text,
    description: text,
    condition: object,
    action: object,
    priority: Type.Enum(Object.values(RulePriority)),
    inherited_from: textOrNull,
    enabled: Type.Boolean(),
    created_at: text,
  }),
  {
    id: 'Identifies the rule.',
    name: 'Name.',
    description: 'Purpose.',
    condition: 'When it applies.',
    action: 'The action to take.',
    priority: 'Rules with a higher priority come first.',
    inherited_from: 'Origin, as `<workspace name>:<rule id>`; null for a rule of its own.',
    enabled: 'True if it is in use.',
    created_at: 'When it was created.',
  },
)
export type RuleRecord = Static<typeof RuleRecordSchema>

const head = {
  id: text,
  name: text,
  description: text,
  state: object,
  parent_workspace: textOrNull,
  created_at: text,
  updated_at: text,
  root_path: textOrNull,
}

/** A workspace record in `workspaces.json`. */
export const WorkspaceRecordSchema = described(
  Type.Object({
    ...head,
    nodes: Type.Record(Type.String(), NodeRecordSchema),
    rules: Type.Record(Type.String(), RuleRecordSchema),
    inherited_rules: Type.Record(Type.String(), RuleRecordSchema),
  }),
  {
    id: 'Identifies the workspace.',
    name: 'Name.',
    description: 'Purpose.',
    state: 'State by name, read by rules.',
    parent_workspace: 'Id of the workspace that it inherits from, or null.',
    created_at: 'When it was created.',
    updated_at: 'When it was last changed.',
    root_path: 'Its folder, or null for the default location.',
    nodes: 'Its nodes by id.',
    rules: 'Its own rules by id.',
    inherited_rules: 'Inherited rules by id.',
  },
)
export type WorkspaceRecord = Static<typeof WorkspaceRecordSchema>

const WorkspaceHeadSchema = Type.Object(head)
export type WorkspaceHead = Static<typeof WorkspaceHeadSchema>

const nodes = ownSchema(NodeRecordSchema)
const rules = ownSchema(RuleRecordSchema)
const heads = ownSchema(WorkspaceHeadSchema)
const workspaces = ownSchema(WorkspaceRecordSchema)

/** Throws `VALIDATION_FAILED` unless the record is a valid node. */
export function assertNode(record: unknown): asserts record is NodeRecord {
  assertRecord('node', nodes(), record)
}

/** Throws `VALIDATION_FAILED` unless the record is a valid rule. */
export function assertRule(record: unknown): asserts record is RuleRecord {
  assertRecord('rule', rules(), record)
}

/** Throws `VALIDATION_FAILED` unless a workspace is valid, apart from its nodes and rules. */
export function assertWorkspaceHead(record: unknown): asserts record is WorkspaceHead {
  assertRecord('workspace', heads(), record)
}

/** Throws `VALIDATION_FAILED` unless the record is a valid workspace. */
export function assertWorkspace(record: unknown): asserts record is WorkspaceRecord {
  assertRecord('workspace', workspaces(), record)
}

function assertRecord(kind: string, schema: CompiledSchema, record: unknown): void {
  if (schema.check(record)) return
  const errors = schema.issues(record)
  const { name } = takeOptions(`The ${kind}`, record as { readonly name?: unknown })
  throw workspaceError(
    'VALIDATION_FAILED',
    `The ${kind} ${quote(name)} is invalid: ${describeIssues(errors.slice(0, 1), 'it')}.`,
    { details: { pointer: errors[0]?.pointer ?? '', errors } },
  )
}
