import { type Static, Type } from 'typebox'
import { idSchema } from '../ids.js'
import { textMatching } from './text-matching.js'
import { DATE_PATTERN, TimestampSchema, timestampSchema } from './timestamp.js'

/** The statuses of a minion. Default: `active`. */
export const MINION_STATUSES = ['active', 'todo', 'in_progress', 'completed', 'cancelled'] as const

export type MinionStatus = (typeof MINION_STATUSES)[number]

/** The priorities of a minion, lowest first. */
export const MINION_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const

export type MinionPriority = (typeof MINION_PRIORITIES)[number]

/** Any names with any values. A TypeBox record would mean the same, but match a pattern against every name. */
const values = (description: string) => Type.Unsafe<Record<string, unknown>>({ type: 'object', description })

/** The record of one minion, as it is stored and exchanged. Its type determines what `fields` may hold. */
export const MinionSchema = Type.Object(
  {
    id: idSchema('Permanent identifier of the minion.'),
    title: Type.String({ minLength: 1, description: 'Title.' }),
    minionTypeId: idSchema('Id of its type, which defines its fields.'),
    fields: values('Values of the fields of its type, by name.'),
    createdAt: timestampSchema('When it was created.'),
    updatedAt: timestampSchema('When it was last changed.'),
    tags: Type.Optional(Type.Immutable(Type.Array(Type.String(), { description: 'Tags.' }))),
    status: Type.Optional(Type.Enum(MINION_STATUSES, { description: 'Status; default active.' })),
    priority: Type.Optional(Type.Enum(MINION_PRIORITIES, { description: 'Priority.' })),
    description: Type.Optional(Type.String({ description: 'A longer description.' })),
    dueDate: Type.Optional(textMatching(DATE_PATTERN, { description: 'Due date: a date, or a date and time.' })),
    categoryId: Type.Optional(Type.String({ description: 'Id of the category it belongs to.' })),
    folderId: Type.Optional(Type.String({ description: 'Id of the folder it is in.' })),
    createdBy: Type.Optional(Type.String({ description: 'Who created it.' })),
    updatedBy: Type.Optional(Type.String({ description: 'Who last changed it.' })),
    deletedAt: Type.Optional(
      Type.Union([TimestampSchema, Type.Null()], { description: 'When it was deleted; null or absent if it is not.' }),
    ),
    deletedBy: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Who deleted it; null or absent if it is not deleted.',
      }),
    ),
    searchableText: Type.Optional(Type.String({ description: 'Computed on every write; lower case.' })),
    _legacy: Type.Optional(values('Values that schema evolution set aside.')),
  },
  { title: 'Minion' },
)

type MinionRecord = Static<typeof MinionSchema>

/** A minion whose fields are `F`; see `MinionOf` for the minions of one type. */
export type Minion<F = MinionRecord['fields']> = Omit<MinionRecord, 'fields'> & { fields: F }
