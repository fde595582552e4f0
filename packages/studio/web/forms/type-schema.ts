import type { FieldDefinition, MinionType } from '../data/records.ts'
import type { JsonSchema } from './schema.ts'

export function schemaOfType({ schema }: Pick<MinionType, 'schema'>): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(schema.map((field) => [field.name, schemaOfField(field)])),
    required: schema.filter(({ required }) => required).map(({ name }) => name),
  }
}

function schemaOfField(field: FieldDefinition): JsonSchema {
  return {
    ...valueSchema(field),
    ...(field.label !== undefined && { label: field.label }),
    ...(field.description !== undefined && { description: field.description }),
    ...(field.defaultValue !== undefined && { default: field.defaultValue }),
  }
}

const TEXT: JsonSchema = { type: 'string' }

/** Schemas of values by the type of their field; all others are texts on one line. */
const VALUES: ReadonlyMap<string, JsonSchema> = new Map([
  ['number', { type: 'number' }],
  ['boolean', { type: 'boolean' }],
  ['tags', { type: 'array', items: TEXT }],
  ['textarea', { ...TEXT, widget: 'lines' }],
  ['date', { ...TEXT, widget: 'date' }],
  ['url', { ...TEXT, widget: 'url' }],
  ['email', { ...TEXT, widget: 'email' }],
  ['json', {}],
  ['array', {}],
])

function valueSchema({ type, options = [] }: FieldDefinition): JsonSchema {
  if (type === 'select') return { enum: options }
  if (type === 'multi-select') return { type: 'array', items: { enum: options } }
  return VALUES.get(type) ?? TEXT
}
