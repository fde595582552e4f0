import { Type } from 'typebox'
import { MINION_PRIORITIES, MINION_STATUSES } from '../../schemas/minion.js'
import type { Where } from '../../storage/query.js'

/** Id of a minion, as every operation on one takes it. */
export const MinionId = Type.String({
  minLength: 1,
  description: 'Id of the minion.',
  examples: ['note-1'],
})

export const TypeName = Type.String({ minLength: 1, description: 'Slug or id of a type.', examples: ['note', 'task'] })

/** What a caller may say of a minion besides its title. */
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
      description: 'A longer text about it.',
      examples: ['For the weekend.'],
    }),
  ),
  tags: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'Tags, all of them.', examples: [['home']] }),
  ),
  status: Type.Optional(
    Type.Union([Type.Enum(MINION_STATUSES), Type.Null()], { description: 'How far it is.', examples: ['todo'] }),
  ),
  priority: Type.Optional(
    Type.Union([Type.Enum(MINION_PRIORITIES), Type.Null()], { description: 'How urgent it is.', examples: ['high'] }),
  ),
  dueDate: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'When it is due: a date, or a date and time with its offset.',
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

/** How many records a page has at most, as operations take it. */
export const Limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'Most records in a page; 100 unless given.',
    examples: [20],
  }),
)

/** Where a page begins, as operations take it. */
export const Cursor = Type.Optional(
  Type.String({ description: '`nextCursor` of the page before.', examples: ['eyJ2IjoxfQ'] }),
)

export const OrderBy = Type.Optional(
  Type.Array(
    Type.Object(
      { field: Type.String(), direction: Type.Optional(Type.Enum(['asc', 'desc'])) },
      { additionalProperties: false },
    ),
    { description: 'Attributes or fields to order by; creation time unless given.', examples: [[{ field: 'title' }]] },
  ),
)

export const IncludeDeleted = Type.Optional(
  Type.Boolean({ description: 'Include what is soft-deleted.', examples: [true] }),
)

/** What minions are wanted; everything that is left out does not restrict. */
export const query = {
  type: Type.Optional(TypeName),
  status: Type.Optional(
    Type.Array(Type.Enum(MINION_STATUSES), {
      description: 'One of these statuses.',
      examples: [['todo', 'in_progress']],
    }),
  ),
  tags: Type.Optional(Type.Array(Type.String(), { description: 'Tags that it must all have.', examples: [['home']] })),
  where: Type.Optional(Condition),
  orderBy: OrderBy,
  limit: Limit,
  cursor: Cursor,
  includeDeleted: IncludeDeleted,
}

/** An input is closed: a misspelt name is refused, not passed over. */
export const closed = { additionalProperties: false } as const
