import { type Static, Type } from 'typebox'
import { idSchema } from '../ids.js'
import { FieldDefinitionSchema } from './field-definition.js'
import { textMatching } from './text-matching.js'
import { timestampSchema } from './timestamp.js'

/** Slugs are kebab-case: lower-case letters and digits in groups joined by single hyphens. */
export const SLUG_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$'

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const names = (description: string) => Type.Optional(Type.Immutable(Type.Array(Type.String(), { description })))

/** The record of one type: the kind of minion it describes and the fields of such a minion. */
export const MinionTypeSchema = Type.Object(
  {
    id: idSchema('Permanent identifier of the type.'),
    name: Type.String({ minLength: 1, description: 'Name of the type.' }),
    slug: textMatching(SLUG_PATTERN, { description: 'Short name in kebab-case, used for lookup.' }),
    schema: Type.Immutable(Type.Array(FieldDefinitionSchema, { description: 'The fields of its minions.' })),
    description: text('Purpose of such a minion.'),
    icon: text('An emoji or the name of an icon.'),
    color: text('A hexadecimal colour such as #ff8800.'),
    isSystem: flag('True if the type is built in and cannot be removed.'),
    isOrganizational: flag('True if its minions contain others, as folders do.'),
    allowedChildTypes: names('If absent, any type; if empty, none.'),
    behaviors: names('Names of capabilities of its minions.'),
    defaultView: text('The default view of its minions.'),
    availableViews: names('The available views of its minions.'),
    createdAt: Type.Optional(timestampSchema('When the type was created.')),
    updatedAt: Type.Optional(timestampSchema('When the type was last changed.')),
  },
  { title: 'MinionType' },
)

/** A type of minions. Types are treated as immutable: validators are compiled once per type. */
export type MinionType = Readonly<Static<typeof MinionTypeSchema>>
