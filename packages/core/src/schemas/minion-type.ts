import { type Static, Type } from 'typebox'
import { IdSchema } from '../ids.js'
import { described } from './described.js'
import { FieldDefinitionSchema } from './field-definition.js'
import { textMatching } from './text-matching.js'
import { TimestampSchema } from './timestamp.js'

/** Slugs are kebab-case: lower-case letters and digits in groups joined by single hyphens. */
export const SLUG_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$'

const Names = Type.Immutable(Type.Array(Type.String()))

/** The record of one type: the kind of minion it describes and the fields of such a minion. */
export const MinionTypeSchema = described(
  Type.Object(
    {
      id: IdSchema,
      name: Type.String({ minLength: 1 }),
      slug: textMatching(SLUG_PATTERN),
      schema: Type.Immutable(Type.Array(FieldDefinitionSchema)),
      description: Type.Optional(Type.String()),
      icon: Type.Optional(Type.String({ description: 'An emoji or the name of an icon.' })),
      color: Type.Optional(Type.String({ description: 'A hexadecimal colour such as #ff8800.' })),
      isSystem: Type.Optional(Type.Boolean()),
      isOrganizational: Type.Optional(Type.Boolean()),
      allowedChildTypes: Type.Optional(
        Type.Immutable(Type.Array(Type.String(), { description: 'If absent, any type; if empty, none.' })),
      ),
      behaviors: Type.Optional(Names),
      defaultView: Type.Optional(Type.String()),
      availableViews: Type.Optional(Names),
      createdAt: Type.Optional(TimestampSchema),
      updatedAt: Type.Optional(TimestampSchema),
    },
    { title: 'MinionType' },
  ),
  {
    id: 'Permanent identifier of the type.',
    name: 'Name of the type.',
    slug: 'Short name in kebab-case, used for lookup.',
    schema: 'The fields of its minions.',
    description: 'Purpose of such a minion.',
    isSystem: 'True if the type is built in and cannot be removed.',
    isOrganizational: 'True if its minions contain others, as folders do.',
    behaviors: 'Names of capabilities of its minions.',
    defaultView: 'The default view of its minions.',
    availableViews: 'The available views of its minions.',
    createdAt: 'When the type was created.',
    updatedAt: 'When the type was last changed.',
  },
)

/** A type of minions. Types are treated as immutable: validators are compiled once per type. */
export type MinionType = Readonly<Static<typeof MinionTypeSchema>>
