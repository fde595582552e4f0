import { Type } from 'typebox'
import { MINION_PRIORITIES, MINION_STATUSES } from '../../schemas/minion.js'
import type { Where } from '../../storage/query.js'
import { pageInput } from './page.js'

/** Id of a minion, as all operations on minions accept it. */
export const MinionId = Type.String({
  minLength: 1,
  description: 'Id of the minion.',
  examples: ['note-1'],
})

export const TypeName = Type.String({ minLength: 1, description: 'Slug or id of a type.', examples: ['note', 'task'] })

/** Optional attributes of a minion, besides its title. */
export const attributes = {
  fields: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'Values of the fields that the type declares.',
      examples: [{ content: 'Water the plants.' }],
    }),
  ),
  description: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'A longer description.',
      examples: ['For the weekend.'],
    }),
  ),
  tags: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The complete list of tags.',
      examples: [['home']],
    }),
  ),
  status: Type.Optional(
    Type.Union([Type.Enum(MINION_STATUSES), Type.Null()], { description: 'Status.', examples: ['todo'] }),
  ),
  priority: Type.Optional(
    Type.Union([Type.Enum(MINION_PRIORITIES), Type.Null()], { description: 'Priority.', examples: ['high'] }),
  ),
  dueDate: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Due date: a date, or a date and time with offset.',
      examples: ['2030-01-31'],
    }),
  ),
  categoryId: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Id of a category.', examples: ['household'] }),
  ),
  folderId: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Id of a folder.', examples: ['inbox'] }),
  ),
}

const Condition = Type.Unsafe<Where>({
  type: 'object',
  description:
    'Conditions on attributes and fields: values, comparisons (eq, ne, in, gt, …), and the groups and, or, not.',
  examples: [{ 'fields.confidence': { gte: 0.8 } }],
})

export const OrderBy = Type.Optional(
  Type.Array(
    Type.Object(
      { field: Type.String(), direction: Type.Optional(Type.Enum(['asc', 'desc'])) },
      { additionalProperties: false },
    ),
    { description: 'Attributes or fields to sort by; default: creation time.', examples: [[{ field: 'title' }]] },
  ),
)

export const IncludeDeleted = Type.Optional(
  Type.Boolean({ description: 'Include soft-deleted minions.', examples: [true] }),
)

/** Selects minions; omitted properties do not restrict. */
export const query = {
  type: Type.Optional(TypeName),
  status: Type.Optional(
    Type.Array(Type.Enum(MINION_STATUSES), {
      description: 'One of these statuses.',
      examples: [['todo', 'in_progress']],
    }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String(), { description: 'Tags that a minion must have, all of them.', examples: [['home']] }),
  ),
  where: Type.Optional(Condition),
  orderBy: OrderBy,
  ...pageInput,
  includeDeleted: IncludeDeleted,
}

/** An input is closed: a misspelt name is refused, not ignored. */
export const closed = { additionalProperties: false } as const
