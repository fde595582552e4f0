import { Type } from 'typebox'
import type { MinionsAccess } from '../../client/minions-access.js'
import { coreError } from '../../errors/codes.js'
import type { MigrationReport } from '../../evolution/plan-migration.js'
import { toJsonSchema } from '../../fields/json-schema.js'
import type { JsonObject } from '../../json/json-value.js'
import { tokens } from '../../plugin/tokens.js'
import { FieldDefinitionSchema } from '../../schemas/field-definition.js'
import { type MinionType, MinionTypeSchema } from '../../schemas/minion-type.js'
import { strictObject } from '../../schemas/strict-object.js'
import { defineOperation } from '../operation.js'
import { clientOperation } from './client-operation.js'
import { list as listOf, newId, TypeName, text } from './inputs.js'

const book = { slug: 'book', name: 'Book', schema: [{ name: 'author', type: 'string', required: true }] } as const
const given = [['types.create', book]] as const

const Schema = Type.Immutable(
  Type.Array(FieldDefinitionSchema, {
    description: 'The fields, each with its name and type.',
    examples: [[{ name: 'author', type: 'string', required: true }]],
  }),
)

/** The effect of an evolution, planned or carried out. Same shape as the client's report. */
const Report = Type.Unsafe<MigrationReport>(
  Type.Object({
    changes: Type.Unknown({ description: 'Fields added, removed and changed.' }),
    checked: Type.Integer({ description: 'Number of minions checked.' }),
    minions: Type.Array(Type.Unknown(), { description: 'Minions that lose, gain or lack a value.' }),
  }),
)

export const list = clientOperation({
  name: 'types.list',
  summary: 'List all types',
  access: 'read',
  input: {},
  output: Type.Array(MinionTypeSchema),
  examples: [{ title: 'All types', input: {} }],
  async run(_, { client }) {
    await client.types.refresh()
    return client.types.list()
  },
})

export const get = clientOperation({
  name: 'types.get',
  summary: 'Get a type by its slug or id',
  access: 'read',
  input: { type: TypeName },
  output: MinionTypeSchema,
  examples: [{ title: 'The type of tasks', input: { type: 'task' } }],
  run: ({ type }, { client }) => existingType(client, type),
})

export const jsonSchema = clientOperation({
  name: 'types.jsonSchema',
  summary: 'Get the JSON Schema of the fields of a type',
  access: 'read',
  input: { type: TypeName },
  output: Type.Unsafe<JsonObject>({ type: 'object', description: 'A JSON Schema of draft 2020-12.' }),
  examples: [{ title: 'The fields of tasks', input: { type: 'task' } }],
  run: async ({ type }, { client }) => toJsonSchema(await existingType(client, type)),
})

export const create = defineOperation({
  name: 'types.create',
  summary: 'Define a type',
  access: 'admin',
  input: strictObject({
    slug: text('Its name in kebab-case, unique in the store.', 'meeting-note'),
    name: Type.Optional(text('Display name; default: the slug.', 'Meeting note')),
    schema: Type.Optional(Schema),
    id: newId('acme-book'),
    description: Type.Optional(text('What such minions are for.', 'A book we own.')),
    allowedChildTypes: Type.Optional(
      listOf(Type.String(), 'Ids of the types that children may have; default: any.', 'builtin-note'),
    ),
  }),
  output: MinionTypeSchema,
  examples: [{ title: 'A type of books', input: book }],
  deps: { client: tokens.client, ids: tokens.ids },
  run: ({ slug, name = slug, schema = [], ...more }, { client, ids }) =>
    client.types.register({ id: ids(), ...more, slug, name, schema }),
})

const evolution = { input: { type: TypeName, schema: Schema }, output: Report }
const newSchema = [...book.schema, { name: 'year', type: 'number' }] as const

export const planEvolution = clientOperation({
  name: 'types.planEvolution',
  summary: 'Report what a new schema would do to the minions of a type',
  access: 'read',
  ...evolution,
  examples: [{ title: 'Books get a year', given, input: { type: 'book', schema: [...newSchema] } }],
  run: ({ type, schema }, { client }) => client.types.planEvolution(type, schema),
})

export const evolve = clientOperation({
  name: 'types.evolve',
  summary: 'Give a type a new schema and migrate its minions',
  access: 'admin',
  ...evolution,
  examples: [{ title: 'Books get a year', given, input: { type: 'book', schema: [...newSchema] } }],
  run: ({ type, schema }, { client }, { by, progress }) =>
    client.types.evolve(type, schema, { by, onProgress: ({ done, total }) => progress({ done, total }) }),
})

async function existingType(client: MinionsAccess, type: string): Promise<MinionType> {
  await client.types.refresh()
  const found = client.types.get(type)
  if (found) return found
  throw coreError('NOT_FOUND', `There is no type "${type.slice(0, 100)}"; list the types with types.list.`, {
    details: { type },
  })
}
