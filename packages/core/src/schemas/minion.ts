import { type Static, Type } from 'typebox'
import { IdSchema } from '../ids.js'
import { described } from './described.js'
import { DateSchema, TimestampSchema } from './timestamp.js'

/** The statuses a minion can have; a new one is `active` unless it says otherwise. */
export const MINION_STATUSES = ['active', 'todo', 'in_progress', 'completed', 'cancelled'] as const

export type MinionStatus = (typeof MINION_STATUSES)[number]

/** The priorities a minion can have, lowest first. */
export const MINION_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const

export type MinionPriority = (typeof MINION_PRIORITIES)[number]

/** Any names with any values. A record of TypeBox means the same and would match a pattern against every name. */
const Values = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

/** The record of one minion, as it is stored and exchanged. What `fields` may hold is up to its type. */
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
    id: 'Identifies the minion for good.',
    title: 'What it is called.',
    minionTypeId: 'Id of its type, which says what its fields may hold.',
    fields: 'Values of the fields of its type, by name.',
    createdAt: 'When it was created.',
    updatedAt: 'When it was last changed.',
    tags: 'Words to find it by.',
    status: 'How it stands; active unless given.',
    priority: 'How urgent it is.',
    description: 'More about it than the title says.',
    dueDate: 'By when it should be done: a date, or a date and time.',
    categoryId: 'Id of the category it belongs to.',
    folderId: 'Id of the folder it is in.',
    createdBy: 'Who created it.',
    updatedBy: 'Who last changed it.',
    deletedAt: 'When it was deleted; null or absent unless it is.',
    deletedBy: 'Who deleted it; null or absent unless it is deleted.',
  },
)

type MinionRecord = Static<typeof MinionSchema>

/** A minion whose fields are `F`; see `MinionOf` for the minions of one type. */
export type Minion<F = MinionRecord['fields']> = Omit<MinionRecord, 'fields'> & { fields: F }
