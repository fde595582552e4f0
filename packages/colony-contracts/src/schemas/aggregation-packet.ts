import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Names, OpenObject, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const EvidenceSchema = described(Type.Object({ claim: Text, support_refs: Names }), {
  claim: 'What is claimed.',
  support_refs: 'The artifacts and sources that support it.',
})

export const AggregationPacketSchema = described(
  Type.Object(
    {
      ...rootMetadata('aggregation_packet'),
      packet_id: Id,
      summary: Text,
      evidence_matrix: Type.Array(EvidenceSchema),
      contradictions: Type.Optional(Type.Array(Type.Unknown())),
      coverage_gaps: Type.Optional(Type.Array(Type.Unknown())),
      recommended_output: OpenObject,
    },
    { title: 'Aggregation packet', description: 'The draft combined from all results, each claim with its support.' },
  ),
  {
    packet_id: 'Identifies the packet.',
    summary: 'Summary of the draft.',
    evidence_matrix: 'Each claim with its support.',
    contradictions: 'Where results contradict each other.',
    coverage_gaps: 'What no result covers.',
    recommended_output: 'The draft as structured data.',
  },
)

/** The draft combined from all results, each claim with its support. */
export type AggregationPacket = Static<typeof AggregationPacketSchema>
