import { type Static, Type } from 'typebox'
import { idSchema } from '../ids.js'
import { timestampSchema } from './timestamp.js'

/** The twelve types of relations, read from source to target. */
export const RELATION_TYPES = [
  'parent_of',
  'depends_on',
  'implements',
  'relates_to',
  'inspired_by',
  'triggers',
  'references',
  'blocks',
  'alternative_to',
  'part_of',
  'follows',
  'integration_link',
] as const

export type RelationType = (typeof RELATION_TYPES)[number]

/** A typed, directional link between two minions. Source and target may be the same. */
export const RelationSchema = Type.Object(
  {
    id: idSchema('Permanent identifier of the relation.'),
    sourceId: idSchema('Id of the source minion.'),
    targetId: idSchema('Id of the target minion; for an integration link, the id of an external object.'),
    type: Type.Enum(RELATION_TYPES, { description: 'How the source relates to the target.' }),
    createdAt: timestampSchema('When it was created.'),
    metadata: Type.Optional(Type.Unknown({ description: 'Any JSON value.' })),
    createdBy: Type.Optional(Type.String({ description: 'Who created it.' })),
  },
  { title: 'Relation' },
)

export type Relation = Static<typeof RelationSchema>

/** The input for a new relation. Give `id` and `createdAt` only when a stored relation is loaded again. */
export type CreateRelationInput = Pick<Relation, 'sourceId' | 'targetId' | 'type'> & Partial<Relation>
