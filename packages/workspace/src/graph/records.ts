import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { workspaceError } from '../errors.js'
import { NodeType } from './node-type.js'
import { RulePriority } from './rule-priority.js'

const text = Type.String()
const textOrNull = Type.Union([Type.String(), Type.Null()])
const object = Type.Record(Type.String(), Type.Unknown())

/** A node as it stands in `workspaces.json`. */
export const NodeRecordSchema = Type.Object({
  id: text,
  name: text,
  type: Type.Enum(Object.values(NodeType)),
  properties: object,
  connections: Type.Array(text),
  state: object,
  created_at: text,
})
export type NodeRecord = Static<typeof NodeRecordSchema>

/** A rule as it stands in `workspaces.json`; `inherited_from` is `<workspace name>:<rule id>`. */
export const RuleRecordSchema = Type.Object({
  id: text,
  name: text,
  description: text,
  condition: object,
  action: object,
  priority: Type.Enum(Object.values(RulePriority)),
  inherited_from: textOrNull,
  enabled: Type.Boolean(),
  created_at: text,
})
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

/** A workspace as it stands in `workspaces.json`. */
export const WorkspaceRecordSchema = Type.Object({
  ...head,
  nodes: Type.Record(Type.String(), NodeRecordSchema),
  rules: Type.Record(Type.String(), RuleRecordSchema),
  inherited_rules: Type.Record(Type.String(), RuleRecordSchema),
})
export type WorkspaceRecord = Static<typeof WorkspaceRecordSchema>

const WorkspaceHeadSchema = Type.Object(head)
export type WorkspaceHead = Static<typeof WorkspaceHeadSchema>

const nodes = Compile(NodeRecordSchema)
const rules = Compile(RuleRecordSchema)
const heads = Compile(WorkspaceHeadSchema)
const workspaces = Compile(WorkspaceRecordSchema)

/** Throws `VALIDATION_FAILED` unless the record is one of a node. */
export function assertNode(record: unknown): asserts record is NodeRecord {
  if (!nodes.Check(record)) throw invalid('node', record, nodes.Errors(record))
}

/** Throws `VALIDATION_FAILED` unless the record is one of a rule. */
export function assertRule(record: unknown): asserts record is RuleRecord {
  if (!rules.Check(record)) throw invalid('rule', record, rules.Errors(record))
}

/** Throws `VALIDATION_FAILED` unless everything about a workspace but its nodes and rules is right. */
export function assertWorkspaceHead(record: unknown): asserts record is WorkspaceHead {
  if (!heads.Check(record)) throw invalid('workspace', record, heads.Errors(record))
}

/** Throws `VALIDATION_FAILED` unless the record is one of a workspace. */
export function assertWorkspace(record: unknown): asserts record is WorkspaceRecord {
  if (!workspaces.Check(record)) throw invalid('workspace', record, workspaces.Errors(record))
}

function invalid(kind: string, record: unknown, errors: Iterable<{ instancePath: string; message: string }>): Error {
  const list = Array.from(errors, ({ instancePath, message }) => ({ pointer: instancePath, message }))
  const name = String((record as { name?: unknown } | null)?.name ?? '')
  const first = list[0] ?? { pointer: '', message: 'is not an object' }
  return workspaceError(
    'VALIDATION_FAILED',
    `The ${kind} ${JSON.stringify(name)} is invalid: ${first.pointer || 'it'} ${first.message}.`,
    { details: { pointer: first.pointer, errors: list } },
  )
}
