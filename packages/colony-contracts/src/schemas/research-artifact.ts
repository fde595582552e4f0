import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Confidence, Id, Name, Text, Timestamp } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const ResearchResultSchema = Type.Object({
  title: about(Text, 'Title of the source.'),
  url: about(Name, 'Where it was found.'),
  snippet: about(Text, 'The relevant excerpt.'),
  source_type: about(Name, 'Kind of source.'),
  retrieved_at: about(Timestamp, 'When it was found.'),
  confidence: about(Confidence, 'Confidence, from 0 to 1.'),
})

export const ResearchArtifactSchema = Type.Object(
  {
    ...rootMetadata('research_artifact'),
    task_id: about(Id, 'The task of the mission it is for.'),
    artifact_id: about(Id, 'Identifies the artifact.'),
    provider: about(Name, 'The source that was queried.'),
    query: about(Name, 'The query.'),
    results: about(Type.Array(ResearchResultSchema), 'The findings.'),
  },
  { title: 'Research artifact', description: 'External evidence, with its source and time.' },
)

/** External evidence, with its source and time. */
export type ResearchArtifact = Static<typeof ResearchArtifactSchema>
