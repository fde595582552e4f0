import { Type } from 'typebox'
import { existing, unknownMinion } from '../../client/existing.js'
import { tokens } from '../../plugin/tokens.js'
import { MinionSchema } from '../../schemas/minion.js'
import { defineOperation } from '../operation.js'
import { attributes, closed, MinionId, query, TypeName } from './inputs.js'
import { asPage, pageOf } from './page.js'

const deps = { client: tokens.client }

/** Creates the minion that the examples of other operations use. */
export const exampleNote = [
  'objects.create',
  { type: 'note', id: 'note-1', title: 'Plants', fields: { content: 'Water the plants.' } },
] as const

const Title = Type.String({ minLength: 1, description: 'Title.', examples: ['Plants'] })

const NewMinion = Type.Object(
  {
    title: Title,
    ...attributes,
    id: Type.Optional(
      Type.String({ description: 'An id assigned elsewhere; default: a new one.', examples: ['note-1'] }),
    ),
  },
  closed,
)

export const create = defineOperation({
  name: 'objects.create',
  summary: 'Create a minion',
  access: 'write',
  atomic: true,
  input: Type.Object({ type: TypeName, ...NewMinion.properties }, closed),
  output: MinionSchema,
  examples: [{ title: 'A note', input: exampleNote[1] }],
  deps,
  run: ({ type, ...input }, { client }, { by }) => client.create(type, input, { by }),
})

export const createMany = defineOperation({
  name: 'objects.createMany',
  summary: 'Create many minions of one type, all or none',
  access: 'write',
  atomic: true,
  input: Type.Object(
    {
      type: TypeName,
      items: Type.Array(NewMinion, {
        description: 'The minions, as objects.create takes them.',
        examples: [[{ title: 'A' }]],
      }),
    },
    closed,
  ),
  output: Type.Array(MinionSchema),
  examples: [
    {
      title: 'Two tasks',
      input: { type: 'task', items: [{ title: 'Water the plants' }, { title: 'Feed the cat', status: 'todo' }] },
    },
  ],
  deps,
  run: ({ type, items }, { client }, { by }) => client.createMany(type, items, { by }),
})

export const get = defineOperation({
  name: 'objects.get',
  summary: 'Get a minion by its id',
  access: 'read',
  input: Type.Object({ id: MinionId }, closed),
  output: MinionSchema,
  examples: [{ title: 'A note', given: [exampleNote], input: { id: 'note-1' } }],
  deps,
  run: ({ id }, { client }) => existing(client, id),
})

export const getRecord = defineOperation({
  name: 'objects.getRecord',
  summary: 'Get a minion with its revision',
  description: 'Pass the revision to objects.update as `ifRevision` to avoid overwriting a concurrent change.',
  access: 'read',
  input: Type.Object({ id: MinionId }, closed),
  output: Type.Object({ minion: MinionSchema, revision: Type.String() }),
  examples: [{ title: 'A note', given: [exampleNote], input: { id: 'note-1' } }],
  deps,
  run: async ({ id }, { client }) => (await client.getRecord(id)) ?? unknownMinion(id),
})

export const update = defineOperation({
  name: 'objects.update',
  summary: 'Change a minion',
  description: 'Omitted properties stay. An attribute given as null is cleared, a field given as null is removed.',
  access: 'write',
  atomic: true,
  input: Type.Object(
    {
      id: MinionId,
      title: Type.Optional(Title),
      ...attributes,
      ifRevision: Type.Optional(
        Type.String({ description: 'Fails with CONFLICT unless this is the current revision.', examples: ['k3v9x'] }),
      ),
    },
    closed,
  ),
  output: MinionSchema,
  examples: [{ title: 'Another title', given: [exampleNote], input: { id: 'note-1', title: 'Garden' } }],
  deps,
  run: ({ id, ifRevision, ...patch }, { client }, { by }) =>
    client.update(id, patch, { by, ...(ifRevision !== undefined && { ifRevision }) }),
})

const removal = { input: Type.Object({ id: MinionId }, closed), output: MinionSchema, deps } as const

export const softDelete = defineOperation({
  ...removal,
  name: 'objects.delete',
  summary: 'Mark a minion as deleted; it can be restored',
  access: 'write',
  atomic: true,
  examples: [{ title: 'Delete a note', given: [exampleNote], input: { id: 'note-1' } }],
  run: ({ id }, { client }, { by }) => client.softDelete(id, { by }),
})

export const restore = defineOperation({
  ...removal,
  name: 'objects.restore',
  summary: 'Restore a deleted minion',
  access: 'write',
  atomic: true,
  examples: [
    { title: 'Restore a note', given: [exampleNote, ['objects.delete', { id: 'note-1' }]], input: { id: 'note-1' } },
  ],
  run: ({ id }, { client }, { by }) => client.restore(id, { by }),
})

export const purge = defineOperation({
  ...removal,
  name: 'objects.purge',
  summary: 'Remove a minion and all its relations permanently',
  access: 'write',
  atomic: true,
  destructive: true,
  examples: [{ title: 'Remove a note', given: [exampleNote], input: { id: 'note-1' } }],
  run: ({ id }, { client }, { by }) => client.hardDelete(id, { by }),
})

export const find = defineOperation({
  name: 'objects.find',
  summary: 'Find minions by type, status, tags and conditions',
  access: 'read',
  input: Type.Object(query, closed),
  output: pageOf(MinionSchema),
  examples: [{ title: 'All notes', given: [exampleNote], input: { type: 'note', orderBy: [{ field: 'title' }] } }],
  deps,
  run: async (input, { client }) => asPage(await client.find(input)),
})

export const search = defineOperation({
  name: 'objects.search',
  summary: 'Find minions by the words in their text',
  access: 'read',
  input: Type.Object(
    {
      text: Type.String({
        description: 'Words, or beginnings of words, all of which must occur.',
        examples: ['water pla'],
      }),
      ...query,
    },
    closed,
  ),
  output: pageOf(MinionSchema),
  examples: [{ title: 'Beginnings of words', given: [exampleNote], input: { text: 'water pla' } }],
  deps,
  run: async ({ text, ...input }, { client }) => asPage(await client.search(text, input)),
})

const { orderBy: _orderBy, limit: _limit, cursor: _cursor, ...conditions } = query

export const count = defineOperation({
  name: 'objects.count',
  summary: 'Count minions',
  access: 'read',
  input: Type.Object(conditions, closed),
  output: Type.Object({ count: Type.Integer() }),
  examples: [{ title: 'How many notes there are', given: [exampleNote], input: { type: 'note' } }],
  deps,
  run: async (input, { client }) => ({ count: await client.count(input) }),
})
