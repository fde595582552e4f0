import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Confidence, Id, Name, Text, Timestamp } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const ResearchResultSchema = described(
  Type.Object({
    title: Text,
    url: Name,
    snippet: Text,
    source_type: Name,
    retrieved_at: Timestamp,
    confidence: Confidence,
  }),
  {
    title: 'Title of the source.',
    url: 'Where it was found.',
    snippet: 'The relevant excerpt.',
    source_type: 'Kind of source.',
    retrieved_at: 'When it was found.',
    confidence: 'Confidence, from 0 to 1.',
  },
)

export const ResearchArtifactSchema = described(
  Type.Object(
    {
      ...rootMetadata('research_artifact'),
      task_id: Id,
      artifact_id: Id,
      provider: Name,
      query: Name,
      results: Type.Array(ResearchResultSchema),
    },
    { title: 'Research artifact', description: 'External evidence, with its source and time.' },
  ),
  {
    task_id: 'The task of the mission it is for.',
    artifact_id: 'Identifies the artifact.',
    provider: 'The source that was queried.',
    query: 'The query.',
    results: 'The findings.',
  },
)

/** External evidence, with its source and time. */
export type ResearchArtifact = Static<typeof ResearchArtifactSchema>
