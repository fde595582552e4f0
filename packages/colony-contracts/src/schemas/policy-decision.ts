import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Name, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

/** The decision types that this package evaluates; others are stored and ignored. */
export const DECISION_TYPES = {
  tool: 'tool_scope',
  data: 'data_scope',
  writeback: 'writeback',
} as const

export const PolicyDecisionSchema = Type.Object(
  {
    ...rootMetadata('policy_decision'),
    decision_id: about(Id, 'Identifies the decision.'),
    decision_type: about(Name, 'Type of decision: tool_scope, data_scope, writeback or another one.'),
    subject: about(Name, 'The tool, data or proposal it is about.'),
    decision: about(Type.Enum(['allow', 'deny']), 'Whether it is allowed.'),
    reason: about(Text, 'Why.'),
    // A decision that names a task applies only to that task.
    task_id: about(Type.Optional(Id), 'The task to which the decision applies; default: all tasks.'),
  },
  { title: 'Policy decision', description: 'An explicit verdict of the guard plane: allowed or denied, and why.' },
)

/** An explicit verdict of the guard plane: allowed or denied, and why. */
export type PolicyDecision = Static<typeof PolicyDecisionSchema>

export function newDecision(decision: Omit<PolicyDecision, 'schema_name' | 'schema_version'>): PolicyDecision {
  return { schema_name: 'policy_decision', schema_version: 'v1', ...decision }
}
