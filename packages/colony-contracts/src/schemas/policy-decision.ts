import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Name, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

/** The decision types that this package evaluates; others are stored and ignored. */
export const DECISION_TYPES = {
  tool: 'tool_scope',
  data: 'data_scope',
  writeback: 'writeback',
} as const

export const PolicyDecisionSchema = described(
  Type.Object(
    {
      ...rootMetadata('policy_decision'),
      decision_id: Id,
      decision_type: Name,
      subject: Name,
      decision: Type.Enum(['allow', 'deny']),
      reason: Text,
      // A decision that names a task applies only to that task.
      task_id: Type.Optional(Id),
    },
    { title: 'Policy decision', description: 'An explicit verdict of the guard plane: allowed or denied, and why.' },
  ),
  {
    decision_id: 'Identifies the decision.',
    decision_type: 'Type of decision: tool_scope, data_scope, writeback or another one.',
    subject: 'The tool, data or proposal it is about.',
    decision: 'Whether it is allowed.',
    reason: 'Why.',
    task_id: 'The task to which the decision applies; default: all tasks.',
  },
)

/** An explicit verdict of the guard plane: allowed or denied, and why. */
export type PolicyDecision = Static<typeof PolicyDecisionSchema>
