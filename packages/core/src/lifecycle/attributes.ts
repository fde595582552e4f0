import { type CompiledField, compileField } from '../fields/compile-field.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import { MINION_PRIORITIES, MINION_STATUSES } from '../schemas/minion.js'

/** Attributes described as fields, so that both follow the same rules. */
const definitions: readonly FieldDefinition[] = [
  { name: 'title', type: 'string', required: true },
  { name: 'description', type: 'textarea' },
  { name: 'tags', type: 'tags' },
  { name: 'status', type: 'select', options: MINION_STATUSES },
  { name: 'priority', type: 'select', options: MINION_PRIORITIES },
  { name: 'dueDate', type: 'date' },
  { name: 'categoryId', type: 'string' },
  { name: 'folderId', type: 'string' },
  { name: 'createdBy', type: 'string' },
  { name: 'updatedBy', type: 'string' },
]

/** The attributes of a minion that callers set, with their checks. Each is a string or a list of strings. */
export const ATTRIBUTES: ReadonlyMap<string, CompiledField> = new Map(
  definitions.map((definition) => [definition.name, compileField(definition)]),
)

export function copyAttribute(value: unknown): unknown {
  return Array.isArray(value) ? value.slice() : value
}
