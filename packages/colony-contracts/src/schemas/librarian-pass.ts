import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Name, Names, Text, Timestamp } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const RecommendedQuerySchema = Type.Object({
  tool: about(Name, 'The tool to query.'),
  query: about(Name, 'The query.'),
})

const CachedPreviewSchema = Type.Object({
  label: about(Text, 'Label.'),
  entity_type: about(Name, 'Kind of record it is a preview of.'),
  entity_id: about(Id, 'Id of that record.'),
  preview: about(Text, 'The preview itself.'),
})

export const LibrarianPassSchema = Type.Object(
  {
    ...rootMetadata('librarian_pass'),
    task_id: about(Id, 'The task of the mission it is for.'),
    pass_id: about(Id, 'Identifies the pass.'),
    allowed_resource_families: about(Names, 'The families of data that may be read.'),
    recommended_queries: about(Type.Optional(Type.Array(RecommendedQuerySchema)), 'Suggested queries.'),
    cached_previews: about(Type.Optional(Type.Array(CachedPreviewSchema)), 'Previews of known records.'),
    expires_at: about(Timestamp, 'Expiry time.'),
  },
  { title: 'Librarian pass', description: 'The internal data a task may read, and until when.' },
)

/** The internal data a task may read, until it expires at `expires_at`. */
export type LibrarianPass = Static<typeof LibrarianPassSchema>
