import { type Static, Type } from 'typebox'
import { searchableText } from '../lifecycle/searchable-text.js'
import { FieldDefinitionSchema } from '../schemas/field-definition.js'
import { type Minion, MinionSchema } from '../schemas/minion.js'
import { MinionTypeSchema } from '../schemas/minion-type.js'
import { RelationSchema } from '../schemas/relation.js'
import { defineCollection } from '../storage/collection.js'

export const minionsCollection = defineCollection({
  name: 'minions',
  // Version 2 adds the title as a column.
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
  schema: MinionTypeSchema,
  key: 'id',
  columns: { slug: { type: 'string', required: true, indexed: true } },
})

/** The type a slug was first given to; its key prevents two processes from both claiming one. */
export const typeSlugsCollection = defineCollection({
  name: 'type_slugs',
  schema: Type.Object({ slug: Type.String(), typeId: Type.String() }),
  key: 'slug',
})

/** A running evolution of a type; it survives a crash and is finished when the store is next opened. */
const EvolutionSchema = Type.Object({
  typeId: Type.String(),
  oldSchema: Type.Array(FieldDefinitionSchema),
  newSchema: Type.Array(FieldDefinitionSchema),
  startedAt: Type.String(),
  by: Type.Optional(Type.String()),
  /** Fields converted by a function, which cannot be stored: only a client that has all of them can continue. */
  transforms: Type.Optional(Type.Array(Type.String())),
  /** Minions are migrated in id order; those up to this id are done. */
  doneThrough: Type.Optional(Type.String()),
  migrated: Type.Integer(),
})

export type Evolution = Static<typeof EvolutionSchema>

export const evolutionsCollection = defineCollection({
  name: 'evolutions',
  schema: EvolutionSchema,
  key: 'typeId',
})

/** A minion that a running evolution need not touch again, with its migration report. */
const EvolvedMinionSchema = Type.Object({
  typeId: Type.String(),
  minionId: Type.String(),
  report: Type.Union([Type.Null(), Type.Unknown()]),
  /** Fields not converted yet, because the minion was written where the function is not known. */
  awaiting: Type.Optional(Type.Array(Type.String())),
  /** The minion as it was then, as input for these functions. */
  before: Type.Optional(Type.Unknown()),
})

export type EvolvedMinion = Static<typeof EvolvedMinionSchema>

export const evolvedMinionsCollection = defineCollection({
  name: 'evolved_minions',
  schema: EvolvedMinionSchema,
  key: ['typeId', 'minionId'],
  columns: { typeId: { type: 'string', required: true, indexed: true } },
})

/** The collections every client stores. */
export const clientCollections = [
  minionsCollection,
  relationsCollection,
  typesCollection,
  typeSlugsCollection,
  evolutionsCollection,
  evolvedMinionsCollection,
] as const
