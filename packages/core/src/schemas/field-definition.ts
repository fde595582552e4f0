import { type Static, Type } from 'typebox'
import { described } from './described.js'

/** The types of values a field can hold. */
export const FIELD_TYPES = [
  'string',
  'number',
  'boolean',
  'date',
  'select',
  'multi-select',
  'url',
  'email',
  'textarea',
  'tags',
  'json',
  'array',
] as const

export type FieldType = (typeof FIELD_TYPES)[number]

/**
 * Further limits on a value. Lengths are counted in code points and, like `pattern`, apply to string, textarea, url and
 * email fields; `min` and `max` apply to numbers. A pattern matches anywhere in the text unless it is anchored.
 */
export const FieldValidationSchema = described(
  Type.Object({
    minLength: Type.Optional(Type.Integer({ minimum: 0 })),
    maxLength: Type.Optional(Type.Integer({ minimum: 0 })),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    pattern: Type.Optional(Type.String()),
  }),
  {
    minLength: 'Minimum number of characters, counted as code points.',
    maxLength: 'Maximum number of characters, counted as code points.',
    min: 'Minimum value.',
    max: 'Maximum value.',
    pattern: 'Regular expression that must match somewhere in the text.',
  },
)

export type FieldValidation = Static<typeof FieldValidationSchema>

/** Describes one field of a type. Definitions are treated as immutable: validators are compiled once per definition. */
export const FieldDefinitionSchema = described(
  Type.Object({
    name: Type.String({ minLength: 1 }),
    type: Type.Enum(FIELD_TYPES),
    label: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    required: Type.Optional(Type.Boolean()),
    defaultValue: Type.Optional(Type.Unknown()),
    options: Type.Optional(Type.Immutable(Type.Array(Type.String()))),
    validation: Type.Optional(FieldValidationSchema),
  }),
  {
    name: 'Name of the field, under which its value is stored.',
    type: 'Type of its value.',
    label: 'Display name.',
    description: 'What the value means.',
    required: 'True if a value is required; default false.',
    defaultValue: 'Default value.',
    options: 'The choices of a select or multi-select field.',
    validation: 'Further limits on the value.',
  },
)

export type FieldDefinition = Static<typeof FieldDefinitionSchema>
