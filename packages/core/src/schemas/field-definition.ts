import { type Static, Type } from 'typebox'

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

const text = (description: string) => Type.Optional(Type.String({ description }))
const length = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))

/**
 * Further limits on a value. Lengths are counted in code points and, like `pattern`, apply to string, textarea, url and
 * email fields; `min` and `max` apply to numbers. A pattern matches anywhere in the text unless it is anchored.
 */
export const FieldValidationSchema = Type.Object(
  {
    minLength: length('Minimum number of characters, counted as code points.'),
    maxLength: length('Maximum number of characters, counted as code points.'),
    min: Type.Optional(Type.Number({ description: 'Minimum value.' })),
    max: Type.Optional(Type.Number({ description: 'Maximum value.' })),
    pattern: text('Regular expression that must match somewhere in the text.'),
  },
  { description: 'Further limits on the value.' },
)

export type FieldValidation = Static<typeof FieldValidationSchema>

/** Describes one field of a type. Definitions are treated as immutable: validators are compiled once per definition. */
export const FieldDefinitionSchema = Type.Object({
  name: Type.String({ minLength: 1, description: 'Name of the field, under which its value is stored.' }),
  type: Type.Enum(FIELD_TYPES, { description: 'Type of its value.' }),
  label: text('Display name.'),
  description: text('What the value means.'),
  required: Type.Optional(Type.Boolean({ description: 'True if a value is required; default false.' })),
  defaultValue: Type.Optional(Type.Unknown({ description: 'Default value.' })),
  options: Type.Optional(
    Type.Immutable(Type.Array(Type.String(), { description: 'The choices of a select or multi-select field.' })),
  ),
  validation: Type.Optional(FieldValidationSchema),
})

export type FieldDefinition = Static<typeof FieldDefinitionSchema>
