import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Level, NullableObject, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const REVIEW_STATUSES = ['approved', 'approved_with_edits', 'changes_requested', 'rejected'] as const

const ReviewIssueSchema = Type.Object({
  severity: about(Level, 'Severity.'),
  message: about(Text, 'Description of the issue.'),
})

export const ReviewPacketSchema = Type.Object(
  {
    ...rootMetadata('review_packet'),
    packet_id: about(Id, 'Identifies the packet.'),
    review_status: about(Type.Enum(REVIEW_STATUSES), 'The verdict.'),
    issues: about(Type.Optional(Type.Array(ReviewIssueSchema)), 'Issues found by the reviewer.'),
    required_edits: about(Type.Optional(Type.Array(Text)), 'Required changes.'),
    approved_output: about(NullableObject, 'The approved output; null if not approved.'),
    // Names the aggregation packet under review; without it, the mission's latest before the review.
    parent_refs: about(
      Type.Optional(Type.Array(Id)),
      'The aggregation packet under review; default: the latest one of the mission.',
    ),
  },
  {
    title: 'Review packet',
    description: 'The outcome of the one review of an aggregation packet.',
    if: {
      required: ['review_status'],
      properties: {
        review_status: { enum: ['approved', 'approved_with_edits'], description: 'An approving verdict.' },
      },
    },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword, on an object that is never awaited.
    then: { properties: { approved_output: { type: 'object', description: 'The approved output.' } } },
  },
)

/** The outcome of the one review of an aggregation packet; a review that approves has an `approved_output`. */
export type ReviewPacket = Static<typeof ReviewPacketSchema>
