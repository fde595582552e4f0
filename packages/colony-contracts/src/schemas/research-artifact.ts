import { type Static, Type } from 'typebox'
import { Confidence, Id, Name, Text, Timestamp } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const ResearchResultSchema = Type.Object({
  title: Text,
  url: Name,
  snippet: Text,
  source_type: Name,
  retrieved_at: Timestamp,
  confidence: Confidence,
})

export const ResearchArtifactSchema = Type.Object(
  {
    ...rootMetadata('research_artifact'),
    task_id: Id,
    artifact_id: Id,
    provider: Name,
    query: Name,
    results: Type.Array(ResearchResultSchema),
  },
  { title: 'Research artifact', description: 'Evidence found outside, with where and when it was found.' },
)

/** Evidence found outside, with where and when it was found. */
export type ResearchArtifact = Static<typeof ResearchArtifactSchema>
