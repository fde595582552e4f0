import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Names, OpenObject, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const EvidenceSchema = Type.Object({
  claim: about(Text, 'What is claimed.'),
  support_refs: about(Names, 'The artifacts and sources that support it.'),
})

export const AggregationPacketSchema = Type.Object(
  {
    ...rootMetadata('aggregation_packet'),
    packet_id: about(Id, 'Identifies the packet.'),
    summary: about(Text, 'Summary of the draft.'),
    evidence_matrix: about(Type.Array(EvidenceSchema), 'Each claim with its support.'),
    contradictions: about(Type.Optional(Type.Array(Type.Unknown())), 'Where results contradict each other.'),
    coverage_gaps: about(Type.Optional(Type.Array(Type.Unknown())), 'What no result covers.'),
    recommended_output: about(OpenObject, 'The draft as structured data.'),
  },
  { title: 'Aggregation packet', description: 'The draft combined from all results, each claim with its support.' },
)

/** The draft combined from all results, each claim with its support. */
export type AggregationPacket = Static<typeof AggregationPacketSchema>
