import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Level, NullableObject, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const REVIEW_STATUSES = ['approved', 'approved_with_edits', 'changes_requested', 'rejected'] as const

const ReviewIssueSchema = described(Type.Object({ severity: Level, message: Text }), {
  severity: 'Severity.',
  message: 'Description of the issue.',
})

export const ReviewPacketSchema = described(
  Type.Object(
    {
      ...rootMetadata('review_packet'),
      packet_id: Id,
      review_status: Type.Enum(REVIEW_STATUSES),
      issues: Type.Optional(Type.Array(ReviewIssueSchema)),
      required_edits: Type.Optional(Type.Array(Text)),
      approved_output: NullableObject,
      // Names the aggregation packet under review; without it, the mission's latest before the review.
      parent_refs: Type.Optional(Type.Array(Id)),
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
  ),
  {
    packet_id: 'Identifies the packet.',
    review_status: 'The verdict.',
    issues: 'Issues found by the reviewer.',
    required_edits: 'Required changes.',
    approved_output: 'The approved output; null if not approved.',
    parent_refs: 'The aggregation packet under review; default: the latest one of the mission.',
  },
)

/** The outcome of the one review of an aggregation packet; a review that approves has an `approved_output`. */
export type ReviewPacket = Static<typeof ReviewPacketSchema>
