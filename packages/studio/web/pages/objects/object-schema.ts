import type { Minion, MinionType } from '../../data/records.ts'
import type { JsonSchema } from '../../forms/schema.ts'
import { schemaOfType } from '../../forms/type-schema.ts'

export const STATUSES = ['active', 'todo', 'in_progress', 'completed', 'cancelled']
const PRIORITIES = ['low', 'medium', 'high', 'urgent']

/** The form of an object of a type: what every object has, and the fields of the type. */
export function objectSchema(type: MinionType): JsonSchema {
  return {
    type: 'object',
    required: ['title', ...(type.schema.length > 0 ? ['fields'] : [])],
    properties: {
      title: { type: 'string' },
      ...(type.schema.length > 0 && { fields: schemaOfType(type) }),
      description: { type: 'string', widget: 'lines' },
      tags: { type: 'array', items: { type: 'string' } },
      status: { enum: STATUSES },
      priority: { enum: PRIORITIES },
      dueDate: { type: 'string', widget: 'date', examples: ['2030-01-31'] },
    },
  }
}

const ATTRIBUTES = ['title', 'description', 'tags', 'status', 'priority', 'dueDate'] as const

/** What the form shows of an object. */
export function formValue(minion: Minion): Record<string, unknown> {
  const attributes = ATTRIBUTES.flatMap((name) => (minion[name] === undefined ? [] : [[name, minion[name]]]))
  return { ...Object.fromEntries(attributes), fields: { ...minion.fields } }
}

/** What must be sent to make an object look like the form: only what differs, and null for what was emptied. */
export function patchOf(minion: Minion, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const name of ATTRIBUTES) {
    if (!isSame(minion[name], value[name])) patch[name] = value[name] ?? null
  }
  const fields = Object(value.fields) as Record<string, unknown>
  const names = new Set([...Object.keys(minion.fields), ...Object.keys(fields)])
  const changed = [...names].filter((name) => !isSame(minion.fields[name], fields[name]))
  if (changed.length > 0) patch.fields = Object.fromEntries(changed.map((name) => [name, fields[name] ?? null]))
  return patch
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
