import { type Static, Type } from 'typebox'
import { searchableText } from '../lifecycle/searchable-text.js'
import { FieldDefinitionSchema } from '../schemas/field-definition.js'
import { type Minion, MinionSchema } from '../schemas/minion.js'
import { MinionTypeSchema } from '../schemas/minion-type.js'
import { RelationSchema } from '../schemas/relation.js'
import { defineCollection } from '../storage/collection.js'

export const minionsCollection = defineCollection({
  name: 'minions',
  // The second has the title as a column.
  version: 2,
  schema: MinionSchema,
  key: 'id',
  columns: {
    title: { type: 'string', required: true },
    minionTypeId: { type: 'string', required: true },
    status: 'string',
    tags: { type: 'strings', indexed: true },
    createdAt: { type: 'string', required: true },
    updatedAt: { type: 'string', required: true },
    deletedAt: 'string',
  },
  indexes: [
    ['deletedAt', 'createdAt'],
    ['minionTypeId', 'deletedAt', 'createdAt'],
    ['minionTypeId', 'deletedAt', 'status', 'createdAt'],
    ['updatedAt'],
  ],
  createdAt: 'createdAt',
  text: 'searchableText',
  derive: (record) => ({ ...record, searchableText: searchableText(record as Pick<Minion, 'title' | 'fields'>) }),
})

export const relationsCollection = defineCollection({
  name: 'relations',
  version: 1,
  schema: RelationSchema,
  key: 'id',
  columns: {
    sourceId: { type: 'string', required: true },
    targetId: { type: 'string', required: true },
    type: { type: 'string', required: true, indexed: true },
    createdAt: { type: 'string', required: true },
  },
  indexes: [
    ['sourceId', 'type', 'createdAt'],
    ['targetId', 'type', 'createdAt'],
  ],
  references: [
    { columns: ['sourceId'], collection: 'minions' },
    { columns: ['targetId'], collection: 'minions', when: { column: 'type', ne: 'integration_link' } },
  ],
  createdAt: 'createdAt',
})

export const typesCollection = defineCollection({
  name: 'types',
  version: 1,
  schema: MinionTypeSchema,
  key: 'id',
  columns: { slug: { type: 'string', required: true, indexed: true } },
})

/** Which type a slug was given to first; its key makes sure that two processes cannot both take one. */
export const typeSlugsCollection = defineCollection({
  name: 'type_slugs',
  version: 1,
  schema: Type.Object({ slug: Type.String(), typeId: Type.String() }),
  key: 'slug',
})

/** An evolution of a type that is under way; it outlives a crash and is finished when the store is opened next. */
const EvolutionSchema = Type.Object({
  typeId: Type.String(),
  oldSchema: Type.Array(FieldDefinitionSchema),
  newSchema: Type.Array(FieldDefinitionSchema),
  startedAt: Type.String(),
  by: Type.Optional(Type.String()),
  /** Fields that are converted by a function, which cannot be stored: only who has them all may carry it on. */
  transforms: Type.Optional(Type.Array(Type.String())),
  /** Minions are migrated in the order of their ids; those up to this one are done. */
  doneThrough: Type.Optional(Type.String()),
  migrated: Type.Integer(),
})

export type Evolution = Static<typeof EvolutionSchema>

export const evolutionsCollection = defineCollection({
  name: 'evolutions',
  version: 1,
  schema: EvolutionSchema,
  key: 'typeId',
})

/** A minion that an evolution under way need not touch again, with what its migration has to report. */
const EvolvedMinionSchema = Type.Object({
  typeId: Type.String(),
  minionId: Type.String(),
  report: Type.Union([Type.Null(), Type.Unknown()]),
  /** Fields that are still to be converted, because the minion was written where the function is not known. */
  awaiting: Type.Optional(Type.Array(Type.String())),
  /** The minion as it was then, for these functions to see. */
  before: Type.Optional(Type.Unknown()),
})

export type EvolvedMinion = Static<typeof EvolvedMinionSchema>

export const evolvedMinionsCollection = defineCollection({
  name: 'evolved_minions',
  version: 1,
  schema: EvolvedMinionSchema,
  key: ['typeId', 'minionId'],
  columns: { typeId: { type: 'string', required: true, indexed: true } },
})

/** What every client stores. */
export const clientCollections = [
  minionsCollection,
  relationsCollection,
  typesCollection,
  typeSlugsCollection,
  evolutionsCollection,
  evolvedMinionsCollection,
] as const
