import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Name, Names, Text, Timestamp } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const RecommendedQuerySchema = described(Type.Object({ tool: Name, query: Name }), {
  tool: 'The tool to query.',
  query: 'The query.',
})

const CachedPreviewSchema = described(Type.Object({ label: Text, entity_type: Name, entity_id: Id, preview: Text }), {
  label: 'Label.',
  entity_type: 'Kind of record it is a preview of.',
  entity_id: 'Id of that record.',
  preview: 'The preview itself.',
})

export const LibrarianPassSchema = described(
  Type.Object(
    {
      ...rootMetadata('librarian_pass'),
      task_id: Id,
      pass_id: Id,
      allowed_resource_families: Names,
      recommended_queries: Type.Optional(Type.Array(RecommendedQuerySchema)),
      cached_previews: Type.Optional(Type.Array(CachedPreviewSchema)),
      expires_at: Timestamp,
    },
    { title: 'Librarian pass', description: 'The internal data a task may read, and until when.' },
  ),
  {
    task_id: 'The task of the mission it is for.',
    pass_id: 'Identifies the pass.',
    allowed_resource_families: 'The families of data that may be read.',
    recommended_queries: 'Suggested queries.',
    cached_previews: 'Previews of known records.',
    expires_at: 'Expiry time.',
  },
)

/** The internal data a task may read, until it expires at `expires_at`. */
export type LibrarianPass = Static<typeof LibrarianPassSchema>
