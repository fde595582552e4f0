import { type Static, Type } from 'typebox'
import { IdSchema } from '../ids.js'
import { described } from './described.js'
import { DateSchema, TimestampSchema } from './timestamp.js'

/** The statuses of a minion. Default: `active`. */
export const MINION_STATUSES = ['active', 'todo', 'in_progress', 'completed', 'cancelled'] as const

export type MinionStatus = (typeof MINION_STATUSES)[number]

/** The priorities of a minion, lowest first. */
export const MINION_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const

export type MinionPriority = (typeof MINION_PRIORITIES)[number]

/** Any names with any values. A TypeBox record would mean the same, but match a pattern against every name. */
const Values = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

/** The record of one minion, as it is stored and exchanged. Its type determines what `fields` may hold. */
export const MinionSchema = described(
  Type.Object(
    {
      id: IdSchema,
      title: Type.String({ minLength: 1 }),
      minionTypeId: IdSchema,
      fields: Values,
      createdAt: TimestampSchema,
      updatedAt: TimestampSchema,
      tags: Type.Optional(Type.Immutable(Type.Array(Type.String()))),
      status: Type.Optional(Type.Enum(MINION_STATUSES)),
      priority: Type.Optional(Type.Enum(MINION_PRIORITIES)),
      description: Type.Optional(Type.String()),
      dueDate: Type.Optional(DateSchema),
      categoryId: Type.Optional(Type.String()),
      folderId: Type.Optional(Type.String()),
      createdBy: Type.Optional(Type.String()),
      updatedBy: Type.Optional(Type.String()),
      deletedAt: Type.Optional(Type.Union([TimestampSchema, Type.Null()])),
      deletedBy: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      searchableText: Type.Optional(Type.String({ description: 'Computed on every write; lower case.' })),
      _legacy: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          description: 'Values that schema evolution set aside.',
        }),
      ),
    },
    { title: 'Minion' },
  ),
  {
    id: 'Permanent identifier of the minion.',
    title: 'Title.',
    minionTypeId: 'Id of its type, which defines its fields.',
    fields: 'Values of the fields of its type, by name.',
    createdAt: 'When it was created.',
    updatedAt: 'When it was last changed.',
    tags: 'Tags.',
    status: 'Status; default active.',
    priority: 'Priority.',
    description: 'A longer description.',
    dueDate: 'Due date: a date, or a date and time.',
    categoryId: 'Id of the category it belongs to.',
    folderId: 'Id of the folder it is in.',
    createdBy: 'Who created it.',
    updatedBy: 'Who last changed it.',
    deletedAt: 'When it was deleted; null or absent if it is not.',
    deletedBy: 'Who deleted it; null or absent if it is not deleted.',
  },
)

type MinionRecord = Static<typeof MinionSchema>

/** A minion whose fields are `F`; see `MinionOf` for the minions of one type. */
export type Minion<F = MinionRecord['fields']> = Omit<MinionRecord, 'fields'> & { fields: F }
