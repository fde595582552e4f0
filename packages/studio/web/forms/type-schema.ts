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

function valueSchema({ type, options = [] }: FieldDefinition): JsonSchema {
  switch (type) {
    case 'number':
      return { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'select':
      return { enum: options }
    case 'multi-select':
      return { type: 'array', items: { enum: options } }
    case 'tags':
      return { type: 'array', items: { type: 'string' } }
    case 'textarea':
      return { type: 'string', widget: 'lines' }
    case 'date':
      return { type: 'string', widget: 'date' }
    case 'url':
      return { type: 'string', widget: 'url' }
    case 'email':
      return { type: 'string', widget: 'email' }
    case 'json':
    case 'array':
      return {}
    default:
      return { type: 'string' }
  }
}
