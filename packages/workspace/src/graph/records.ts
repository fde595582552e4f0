import { quote } from '@minions/core'
import { takeOptions } from '@minions/core/plugin'
import { about, type CompiledSchema, describeIssues, ownSchema } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { workspaceError } from '../errors.js'
import { NodeType } from './node-type.js'
import { RulePriority } from './rule-priority.js'

const text = Type.String()
const textOrNull = Type.Union([Type.String(), Type.Null()])
const object = Type.Record(Type.String(), Type.Unknown())

/** A node record in `workspaces.json`. */
export const NodeRecordSchema = Type.Object({
  id: about(text, 'Identifies the node.'),
  name: about(text, 'Name.'),
  type: about(Type.Enum(Object.values(NodeType)), 'Kind of node.'),
  properties: about(object, 'Properties, by name.'),
  connections: about(Type.Array(text), 'Ids of connected nodes.'),
  state: about(object, 'State, by name.'),
  created_at: about(text, 'When it was created.'),
})
export type NodeRecord = Static<typeof NodeRecordSchema>

/** A rule record in `workspaces.json`; `inherited_from` is `<workspace name>:<rule id>`. */
export const RuleRecordSchema = Type.Object({
  id: about(text, 'Identifies the rule.'),
  name: about(text, 'Name.'),
  description: about(text, 'Purpose.'),
  condition: about(object, 'When it applies.'),
  action: about(object, 'The action to take.'),
  priority: about(Type.Enum(Object.values(RulePriority)), 'Rules with a higher priority come first.'),
  inherited_from: about(textOrNull, 'Origin, as `<workspace name>:<rule id>`; null for a rule of its own.'),
  enabled: about(Type.Boolean(), 'True if it is in use.'),
  created_at: about(text, 'When it was created.'),
})
export type RuleRecord = Static<typeof RuleRecordSchema>

const head = {
  id: about(text, 'Identifies the workspace.'),
  name: about(text, 'Name.'),
  description: about(text, 'Purpose.'),
  state: about(object, 'State by name, read by rules.'),
  parent_workspace: about(textOrNull, 'Id of the workspace that it inherits from, or null.'),
  created_at: about(text, 'When it was created.'),
  updated_at: about(text, 'When it was last changed.'),
  root_path: about(textOrNull, 'Its folder, or null for the default location.'),
}

/** A workspace record in `workspaces.json`. */
export const WorkspaceRecordSchema = Type.Object({
  ...head,
  nodes: about(Type.Record(Type.String(), NodeRecordSchema), 'Its nodes by id.'),
  rules: about(Type.Record(Type.String(), RuleRecordSchema), 'Its own rules by id.'),
  inherited_rules: about(Type.Record(Type.String(), RuleRecordSchema), 'Inherited rules by id.'),
})
export type WorkspaceRecord = Static<typeof WorkspaceRecordSchema>

const WorkspaceHeadSchema = Type.Object(head)
export type WorkspaceHead = Static<typeof WorkspaceHeadSchema>

const schemas = {
  node: ownSchema(NodeRecordSchema),
  rule: ownSchema(RuleRecordSchema),
  head: ownSchema(WorkspaceHeadSchema),
  workspace: ownSchema(WorkspaceRecordSchema),
}

interface Records {
  readonly node: NodeRecord
  readonly rule: RuleRecord
  /** A workspace apart from its nodes and rules. */
  readonly head: WorkspaceHead
  readonly workspace: WorkspaceRecord
}

/** Throws `VALIDATION_FAILED` unless a record is valid. */
export function assertRecord<Kind extends keyof Records>(kind: Kind, record: unknown): asserts record is Records[Kind] {
  const schema: CompiledSchema = schemas[kind]()
  if (schema.check(record)) return
  const errors = schema.issues(record)
  const what = kind === 'head' ? 'workspace' : kind
  const { name } = takeOptions(`The ${what}`, record as { readonly name?: unknown })
  const message = `The ${what} ${quote(name)} is invalid: ${describeIssues(errors, 'it', 1)}.`
  throw workspaceError('VALIDATION_FAILED', message, { details: { pointer: errors[0]?.pointer ?? '', errors } })
}
