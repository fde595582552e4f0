import { Type } from 'typebox'
import { MinionTreeSchema, minionTree } from '../../client/minion-tree.js'
import { tokens } from '../../plugin/tokens.js'
import { MinionSchema } from '../../schemas/minion.js'
import { RELATION_TYPES, RelationSchema } from '../../schemas/relation.js'
import { defineOperation } from '../operation.js'
import { closed, IncludeDeleted, MinionId, OrderBy } from './inputs.js'
import { exampleNote } from './objects.js'
import { asPage, pageInput, pageOf } from './page.js'

const deps = { client: tokens.client }

const RelationName = Type.Enum(RELATION_TYPES, {
  description: 'How the source relates to the target.',
  examples: ['depends_on'],
})

const given = [
  exampleNote,
  ['objects.create', { type: 'note', id: 'note-2', title: 'Shopping', fields: { content: 'Buy a watering can.' } }],
  ['relations.link', { id: 'relation-1', sourceId: 'note-1', type: 'parent_of', targetId: 'note-2' }],
] as const

export const link = defineOperation({
  name: 'relations.link',
  summary: 'Link two minions',
  access: 'write',
  atomic: true,
  input: Type.Object(
    {
      sourceId: Type.String({ description: 'Id of the source minion.', examples: ['note-1'] }),
      type: RelationName,
      targetId: Type.String({ description: 'Id of the target minion.', examples: ['note-2'] }),
      metadata: Type.Optional(Type.Unknown({ description: 'Any JSON value.', examples: [{ weight: 0.5 }] })),
      id: Type.Optional(
        Type.String({
          description: 'An id assigned elsewhere; default: a new one.',
          examples: ['relation-1'],
        }),
      ),
    },
    closed,
  ),
  output: RelationSchema,
  examples: [
    {
      title: 'One note depends on another',
      given: given.slice(0, 2),
      input: { ...given[2][1], id: 'relation-2', type: 'depends_on' },
    },
  ],
  deps,
  run: (input, { client }, { by }) => client.link(input, { by }),
})

export const unlink = defineOperation({
  name: 'relations.unlink',
  summary: 'Remove a relation',
  access: 'write',
  atomic: true,
  destructive: true,
  input: Type.Object({ id: Type.String({ description: 'Id of the relation.', examples: ['relation-1'] }) }, closed),
  output: RelationSchema,
  examples: [{ title: 'Remove a relation', given, input: { id: 'relation-1' } }],
  deps,
  run: ({ id }, { client }, { by }) => client.unlink(id, { by }),
})

const Ids = (what: string) =>
  Type.Optional(
    Type.Array(Type.String(), {
      description: `Ids of minions at which a relation may ${what}.`,
      examples: [['note-1']],
    }),
  )

export const find = defineOperation({
  name: 'relations.find',
  summary: 'Find the relations of many minions',
  access: 'read',
  input: Type.Object(
    {
      sourceIds: Ids('begin'),
      targetIds: Ids('end'),
      labels: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Values of `label` in the relation metadata.',
          examples: [['reviewed_by']],
        }),
      ),
      types: Type.Optional(
        Type.Array(Type.Enum(RELATION_TYPES), {
          description: 'Only relations of these types.',
          examples: [['depends_on']],
        }),
      ),
      orderBy: OrderBy,
      ...pageInput,
      includeDeleted: IncludeDeleted,
    },
    closed,
  ),
  output: pageOf(RelationSchema),
  examples: [{ title: 'What begins at a note', given, input: { sourceIds: ['note-1'] } }],
  deps,
  run: async (input, { client }) => asPage(await client.findRelations(input)),
})

const WALKS = ['children', 'parents', 'descendants', 'ancestors', 'network'] as const

export const walk = defineOperation({
  name: 'relations.walk',
  summary: 'List the minions that can be reached from one by relations',
  access: 'read',
  input: Type.Object(
    {
      id: MinionId,
      direction: Type.Enum(WALKS, {
        description:
          'Children and parents by `parent_of`, descendants and ancestors at any depth, network by any relation.',
        examples: ['descendants'],
      }),
      includeDeleted: IncludeDeleted,
    },
    closed,
  ),
  output: Type.Array(MinionSchema),
  examples: [{ title: 'Everything below a note', given, input: { id: 'note-1', direction: 'descendants' } }],
  deps,
  run: ({ id, direction, ...options }, { client }) => client[direction](id, options),
})

export const path = defineOperation({
  name: 'relations.path',
  summary: 'Find a shortest chain of minions from one to another',
  access: 'read',
  input: Type.Object(
    {
      fromId: Type.String({ description: 'Id of the first minion.', examples: ['note-1'] }),
      toId: Type.String({ description: 'Id of the last minion.', examples: ['note-2'] }),
      includeDeleted: IncludeDeleted,
    },
    closed,
  ),
  output: Type.Array(MinionSchema),
  examples: [{ title: 'From one note to another', given, input: { fromId: 'note-1', toId: 'note-2' } }],
  deps,
  run: ({ fromId, toId, ...options }, { client }) => client.path(fromId, toId, options),
})

export const tree = defineOperation({
  name: 'relations.tree',
  summary: 'Show a minion with all its descendants',
  description: 'Follows `parent_of`. A minion reached again is listed without children, so cycles terminate.',
  access: 'read',
  input: Type.Object({ id: MinionId }, closed),
  output: MinionTreeSchema,
  examples: [{ title: 'A note with what is below it', given, input: { id: 'note-1' } }],
  deps,
  run: ({ id }, { client }) => minionTree(client, id),
})
