import { builtinType } from './builtin-type.js'

/** The type of minions that describe types; see `typeToMinion`. Title and description are those of the type described. */
export const minionTypeType = builtinType({
  name: 'Minion Type',
  slug: 'minion-type',
  description: 'A type, described as a minion.',
  icon: '🧬',
  schema: [
    { name: 'slug', type: 'string', label: 'Slug', required: true },
    { name: 'schema', type: 'array', label: 'Schema', description: 'Its field definitions.', required: true },
    { name: 'icon', type: 'string', label: 'Icon' },
    { name: 'color', type: 'string', label: 'Colour' },
    { name: 'isSystem', type: 'boolean', label: 'System type' },
    { name: 'isOrganizational', type: 'boolean', label: 'Container' },
    { name: 'allowedChildTypes', type: 'tags', label: 'Allowed child types' },
    { name: 'behaviors', type: 'tags', label: 'Behaviours' },
    { name: 'defaultView', type: 'string', label: 'Default view' },
    { name: 'availableViews', type: 'tags', label: 'Available views' },
    { name: 'createdAt', type: 'date', label: 'Created at' },
    { name: 'updatedAt', type: 'date', label: 'Updated at' },
  ],
})
