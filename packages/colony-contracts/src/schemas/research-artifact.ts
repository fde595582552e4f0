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
    snippet: 'The part that matters.',
    source_type: 'Kind of source.',
    retrieved_at: 'When it was found.',
    confidence: 'How sure it is, from 0 to 1.',
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
    { title: 'Research artifact', description: 'Evidence found outside, with where and when it was found.' },
  ),
  {
    task_id: 'The task of the mission that it is for.',
    artifact_id: 'Identifies the artifact.',
    provider: 'Who was asked.',
    query: 'What was asked.',
    results: 'What was found.',
  },
)

/** Evidence found outside, with where and when it was found. */
export type ResearchArtifact = Static<typeof ResearchArtifactSchema>
