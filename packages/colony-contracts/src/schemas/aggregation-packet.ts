import { type Static, Type } from 'typebox'
import { Id, Names, OpenObject, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const EvidenceSchema = Type.Object({ claim: Text, support_refs: Names })

export const AggregationPacketSchema = Type.Object(
  {
    ...rootMetadata('aggregation_packet'),
    packet_id: Id,
    summary: Text,
    evidence_matrix: Type.Array(EvidenceSchema),
    contradictions: Type.Optional(Type.Array(Type.Unknown())),
    coverage_gaps: Type.Optional(Type.Array(Type.Unknown())),
    recommended_output: OpenObject,
  },
  { title: 'Aggregation packet', description: 'The draft made of all results, each claim with what supports it.' },
)

/** The draft made of all results, each claim with what supports it. */
export type AggregationPacket = Static<typeof AggregationPacketSchema>
