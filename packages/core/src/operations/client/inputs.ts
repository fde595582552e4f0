import { Type } from 'typebox'
import { MINION_PRIORITIES, MINION_STATUSES } from '../../schemas/minion.js'
import { strictObject } from '../../schemas/strict-object.js'
import type { Where } from '../../storage/query.js'
import { property } from '../property.js'
import { pageInput } from './page.js'

export const { flag, list, text, whole } = property
const { nullable } = property

export const MinionId = text('Id of the minion.', 'note-1', { minLength: 1 })

export const TypeName = Type.String({ minLength: 1, description: 'Slug or id of a type.', examples: ['note', 'task'] })

export const newId = (example: string) => Type.Optional(text('An id assigned elsewhere; default: a new one.', example))

export const attributes = {
  fields: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'Values of the fields that the type declares.',
      examples: [{ content: 'Water the plants.' }],
    }),
  ),
  description: nullable(Type.String(), 'A longer description.', 'For the weekend.'),
  tags: nullable(Type.Array(Type.String()), 'The complete list of tags.', ['home']),
  status: nullable(Type.Enum(MINION_STATUSES), 'Status.', 'todo'),
  priority: nullable(Type.Enum(MINION_PRIORITIES), 'Priority.', 'high'),
  dueDate: nullable(Type.String(), 'Due date: a date, or a date and time with offset.', '2030-01-31'),
  categoryId: nullable(Type.String(), 'Id of a category.', 'household'),
  folderId: nullable(Type.String(), 'Id of a folder.', 'inbox'),
}

const Condition = Type.Unsafe<Where>({
  type: 'object',
  description:
    'Conditions on attributes and fields: values, comparisons (eq, ne, in, gt, …), and the groups and, or, not.',
  examples: [{ 'fields.confidence': { gte: 0.8 } }],
})

const OrderTerm = strictObject({ field: Type.String(), direction: Type.Optional(Type.Enum(['asc', 'desc'])) })

/** The order and the page of a list, and whether it has deleted records. */
export const listing = {
  orderBy: Type.Optional(
    list(OrderTerm, 'Attributes or fields to sort by; default: creation time.', { field: 'title' }),
  ),
  ...pageInput,
  includeDeleted: flag('Include soft-deleted minions.'),
}

/** Selects minions; omitted properties do not restrict. */
export const conditions = {
  type: Type.Optional(TypeName),
  status: Type.Optional(list(Type.Enum(MINION_STATUSES), 'One of these statuses.', 'todo', 'in_progress')),
  tags: Type.Optional(list(Type.String(), 'Tags that a minion must have, all of them.', 'home')),
  where: Type.Optional(Condition),
}
