import { Type } from 'typebox'
import { MinionTreeSchema, minionTree } from '../../client/relations/minion-tree.js'
import { MinionSchema } from '../../schemas/minion.js'
import { RELATION_TYPES, RelationSchema } from '../../schemas/relation.js'
import { clientOperation } from './client-operation.js'
import { list, listing, MinionId, newId, text } from './inputs.js'
import { exampleNote } from './objects.js'
import { asPage, pageOf } from './page.js'

const given = [
  exampleNote,
  ['objects.create', { type: 'note', id: 'note-2', title: 'Shopping', fields: { content: 'Buy a watering can.' } }],
  ['relations.link', { id: 'relation-1', sourceId: 'note-1', type: 'parent_of', targetId: 'note-2' }],
] as const

const { includeDeleted } = listing

export const link = clientOperation({
  name: 'relations.link',
  summary: 'Link two minions',
  access: 'write',
  atomic: true,
  input: {
    sourceId: text('Id of the source minion.', 'note-1'),
    type: Type.Enum(RELATION_TYPES, {
      description: 'How the source relates to the target.',
      examples: ['depends_on'],
    }),
    targetId: text('Id of the target minion.', 'note-2'),
    metadata: Type.Optional(Type.Unknown({ description: 'Any JSON value.', examples: [{ weight: 0.5 }] })),
    id: newId('relation-1'),
  },
  output: RelationSchema,
  examples: [
    {
      title: 'One note depends on another',
      given: given.slice(0, 2),
      input: { ...given[2][1], id: 'relation-2', type: 'depends_on' },
    },
  ],
  run: (input, { client }, { by }) => client.link(input, { by }),
})

export const unlink = clientOperation({
  name: 'relations.unlink',
  summary: 'Remove a relation',
  access: 'write',
  atomic: true,
  destructive: true,
  input: { id: text('Id of the relation.', 'relation-1') },
  output: RelationSchema,
  examples: [{ title: 'Remove a relation', given, input: { id: 'relation-1' } }],
  run: ({ id }, { client }, { by }) => client.unlink(id, { by }),
})

export const find = clientOperation({
  name: 'relations.find',
  summary: 'Find the relations of many minions',
  access: 'read',
  input: {
    sourceIds: Type.Optional(list(Type.String(), 'Ids of minions at which a relation may begin.', 'note-1')),
    targetIds: Type.Optional(list(Type.String(), 'Ids of minions at which a relation may end.', 'note-1')),
    labels: Type.Optional(list(Type.String(), 'Values of `label` in the relation metadata.', 'reviewed_by')),
    types: Type.Optional(list(Type.Enum(RELATION_TYPES), 'Only relations of these types.', 'depends_on')),
    ...listing,
  },
  output: pageOf(RelationSchema),
  examples: [{ title: 'What begins at a note', given, input: { sourceIds: ['note-1'] } }],
  run: async (input, { client }) => asPage(await client.findRelations(input)),
})

const WALKS = ['children', 'parents', 'descendants', 'ancestors', 'network'] as const

export const walk = clientOperation({
  name: 'relations.walk',
  summary: 'List the minions that can be reached from one by relations',
  access: 'read',
  input: {
    id: MinionId,
    direction: Type.Enum(WALKS, {
      description:
        'Children and parents by `parent_of`, descendants and ancestors at any depth, network by any relation.',
      examples: ['descendants'],
    }),
    includeDeleted,
  },
  output: Type.Array(MinionSchema),
  examples: [{ title: 'Everything below a note', given, input: { id: 'note-1', direction: 'descendants' } }],
  run: ({ id, direction, ...options }, { client }) => client[direction](id, options),
})

export const path = clientOperation({
  name: 'relations.path',
  summary: 'Find a shortest chain of minions from one to another',
  access: 'read',
  input: {
    fromId: text('Id of the first minion.', 'note-1'),
    toId: text('Id of the last minion.', 'note-2'),
    includeDeleted,
  },
  output: Type.Array(MinionSchema),
  examples: [{ title: 'From one note to another', given, input: { fromId: 'note-1', toId: 'note-2' } }],
  run: ({ fromId, toId, ...options }, { client }) => client.path(fromId, toId, options),
})

export const tree = clientOperation({
  name: 'relations.tree',
  summary: 'Show a minion with all its descendants',
  description: 'Follows `parent_of`. A minion reached again is listed without children, so cycles terminate.',
  access: 'read',
  input: { id: MinionId },
  output: MinionTreeSchema,
  examples: [{ title: 'A note with what is below it', given, input: { id: 'note-1' } }],
  run: ({ id }, { client }) => minionTree(client, id),
})
