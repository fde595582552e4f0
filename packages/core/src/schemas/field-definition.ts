import { type Static, Type } from 'typebox'
import { described } from './described.js'

/** The kinds of value a field can hold. */
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
    minLength: 'Fewest characters, as code points.',
    maxLength: 'Most characters, as code points.',
    min: 'Least number.',
    max: 'Greatest number.',
    pattern: 'Regular expression that the text must match somewhere.',
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
    name: 'Name of the field, which its value is kept under.',
    type: 'Kind of value that it holds.',
    label: 'What people see instead of the name.',
    description: 'What the value means.',
    required: 'Whether the value must be there; false unless given.',
    defaultValue: 'The value where none is given.',
    options: 'What can be chosen, of a select or multi-select field.',
    validation: 'Further limits on the value.',
  },
)

export type FieldDefinition = Static<typeof FieldDefinitionSchema>
