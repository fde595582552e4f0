import { type Static, Type } from 'typebox'
import { Id, Name, Names, Text, Timestamp } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const RecommendedQuerySchema = Type.Object({ tool: Name, query: Name })

const CachedPreviewSchema = Type.Object({ label: Text, entity_type: Name, entity_id: Id, preview: Text })

export const LibrarianPassSchema = Type.Object(
  {
    ...rootMetadata('librarian_pass'),
    task_id: Id,
    pass_id: Id,
    allowed_resource_families: Names,
    recommended_queries: Type.Optional(Type.Array(RecommendedQuerySchema)),
    cached_previews: Type.Optional(Type.Array(CachedPreviewSchema)),
    expires_at: Timestamp,
  },
  { title: 'Librarian pass', description: 'Which internal data a task may look at, and until when.' },
)

/** Which internal data a task may look at, and until when: from `expires_at` on it is worth nothing. */
export type LibrarianPass = Static<typeof LibrarianPassSchema>
