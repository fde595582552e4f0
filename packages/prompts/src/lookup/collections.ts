import { defineCollection } from '@minions/core/storage'
import { type Static, Type } from 'typebox'
import { LabelStateSchema } from '../labels/label-state.js'

/**
 * A version, or the root of a chain that can be determined only by relations. An isolated version has no entry: it is
 * its own chain.
 */
const IndexedVersionSchema = Type.Object({
  id: Type.String(),
  promptId: Type.Union([Type.String(), Type.Null()], {
    description: 'Root of its chain; null in a chain with several roots or a cycle, which is read by its relations.',
  }),
  time: Type.String({ description: 'Creation time, as a string that sorts by instant.' }),
  number: Type.Number({ description: 'Its number, 0 if it has none: breaks ties between versions of one instant.' }),
  versionNumber: Type.Optional(Type.Number({ description: 'The assigned number.' })),
  step: Type.Number({ description: 'Its number, counted if none was assigned.' }),
  live: Type.Boolean({ description: 'True if it is not deleted.' }),
  followed: Type.Boolean({
    description: 'True if a version that is not deleted follows it, possibly across deleted ones.',
  }),
})

export type IndexedVersion = Static<typeof IndexedVersionSchema>

export const promptVersionsCollection = defineCollection({
  name: 'prompt_versions',
  schema: IndexedVersionSchema,
  key: 'id',
  columns: {
    promptId: 'string',
    live: { type: 'boolean', required: true },
    followed: { type: 'boolean', required: true },
    time: { type: 'string', required: true },
    number: { type: 'number', required: true },
    versionNumber: 'number',
  },
  indexes: [
    ['promptId', 'live', 'followed', 'time', 'number'],
    ['promptId', 'versionNumber'],
  ],
  derived: true,
})

/** A variable or test that is `part_of` a prompt or version. */
const IndexedPartSchema = Type.Object({
  ownerId: Type.String(),
  id: Type.String(),
  kind: Type.Enum(['variable', 'test']),
})

export type Part = Omit<Static<typeof IndexedPartSchema>, 'kind'>
export type PartKind = Static<typeof IndexedPartSchema>['kind']

export const promptPartsCollection = defineCollection({
  name: 'prompt_parts',
  schema: IndexedPartSchema,
  key: ['ownerId', 'id'],
  columns: { ownerId: { type: 'string', required: true }, kind: { type: 'string', required: true } },
  indexes: [['ownerId', 'kind']],
  derived: true,
})

/** The target of a prompt's label, derived from the `references` relations that record its moves. */
const IndexedLabelSchema = Type.Object({
  ...LabelStateSchema.properties,
  firstId: Type.Optional(Type.String({ description: 'For `production`: the relation that keeps version 0.' })),
})

export type IndexedLabel = Static<typeof IndexedLabelSchema>

export const promptLabelsCollection = defineCollection({
  name: 'prompt_labels',
  schema: IndexedLabelSchema,
  key: ['promptId', 'label'],
  columns: { promptId: { type: 'string', required: true, indexed: true } },
  derived: true,
})

/** A name that a prompt has, or had before it was renamed. */
const IndexedNameSchema = Type.Object({
  name: Type.String(),
  promptId: Type.String(),
  since: Type.String({
    description: 'Time when the prompt was last given the name, as a string that sorts by instant.',
  }),
  current: Type.Optional(Type.String({ description: 'The name again if the prompt still has it; unique.' })),
})

export type IndexedName = Static<typeof IndexedNameSchema>

export const promptNamesCollection = defineCollection({
  name: 'prompt_names',
  schema: IndexedNameSchema,
  key: ['name', 'promptId'],
  columns: {
    name: { type: 'string', required: true, indexed: true },
    promptId: { type: 'string', required: true, indexed: true },
    current: { type: 'string', unique: true },
  },
  derived: true,
})

/** A prompt or version whose template includes another prompt by this name. */
const InclusionSchema = Type.Object({ ownerId: Type.String(), name: Type.String() })

export type Inclusion = Static<typeof InclusionSchema>

export const promptInclusionsCollection = defineCollection({
  name: 'prompt_inclusions',
  schema: InclusionSchema,
  key: ['ownerId', 'name'],
  columns: {
    ownerId: { type: 'string', required: true },
    name: { type: 'string', required: true, indexed: true },
  },
  derived: true,
})

/** Progress of building the index; there is one record. */
const IndexStateSchema = Type.Object({
  id: Type.Literal('prompts'),
  layout: Type.Optional(
    Type.Integer({ description: 'Version of the collections; indexes built in an older one are rebuilt.' }),
  ),
  phase: Type.Enum(['prompts', 'versions', 'parts', 'done']),
  doneThrough: Type.Optional(Type.String({ description: 'Records are visited in id order.' })),
})

export type IndexState = Static<typeof IndexStateSchema>

export const promptIndexCollection = defineCollection({
  name: 'prompt_index',
  schema: IndexStateSchema,
  key: 'id',
  derived: true,
})

/** The index: everything in it is derived from minions and relations. */
export const indexCollections = [
  promptVersionsCollection,
  promptPartsCollection,
  promptLabelsCollection,
  promptNamesCollection,
  promptInclusionsCollection,
  promptIndexCollection,
] as const
