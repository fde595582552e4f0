import { Type } from 'typebox'
import type { MinionsAccess } from '../../client/minions-access.js'
import { existing, existingWithText, unknownMinion } from '../../client/objects/existing.js'
import { MinionSchema } from '../../schemas/minion.js'
import { strictObject } from '../../schemas/strict-object.js'
import { withTextRun } from '../text-run.js'
import { clientOperation } from './client-operation.js'
import { attributes, conditions, list, listing, MinionId, newId, TypeName, text } from './inputs.js'
import { asPage, pageOf } from './page.js'

/** Creates the minion that the examples of other operations use. */
export const exampleNote = [
  'objects.create',
  { type: 'note', id: 'note-1', title: 'Plants', fields: { content: 'Water the plants.' } },
] as const

const given = [exampleNote]
const input = { id: MinionId }

const Title = Type.String({ minLength: 1, description: 'Title.', examples: ['Plants'] })
const NewMinion = { title: Title, ...attributes, id: newId('note-1') }

export const create = clientOperation({
  name: 'objects.create',
  summary: 'Create a minion',
  access: 'write',
  atomic: true,
  input: { type: TypeName, ...NewMinion },
  output: MinionSchema,
  examples: [{ title: 'A note', input: exampleNote[1] }],
  run: ({ type, ...input }, { client }, { by }) => client.create(type, input, { by }),
})

export const createMany = clientOperation({
  name: 'objects.createMany',
  summary: 'Create many minions of one type, all or none',
  access: 'write',
  atomic: true,
  input: {
    type: TypeName,
    items: list(strictObject(NewMinion), 'The minions, as objects.create takes them.', {
      title: 'A',
    }),
  },
  output: Type.Array(MinionSchema),
  examples: [
    {
      title: 'Two tasks',
      input: { type: 'task', items: [{ title: 'Water the plants' }, { title: 'Feed the cat', status: 'todo' }] },
    },
  ],
  run: ({ type, items }, { client }, { by }) => client.createMany(type, items, { by }),
})

export const get = withTextRun(
  clientOperation({
    name: 'objects.get',
    summary: 'Get a minion by its id',
    access: 'read',
    input,
    output: MinionSchema,
    examples: [{ title: 'A note', given, input: { id: 'note-1' } }],
    run: ({ id }, { client }) => existing(client, id),
  }),
  { run: ({ id }: { id: string }, { client }: { client: MinionsAccess }) => existingWithText(client, id) },
)

export const getRecord = clientOperation({
  name: 'objects.getRecord',
  summary: 'Get a minion with its revision',
  description: 'Pass the revision to objects.update as `ifRevision` to avoid overwriting a concurrent change.',
  access: 'read',
  input,
  output: Type.Object({ minion: MinionSchema, revision: Type.String() }),
  examples: [{ title: 'A note', given, input: { id: 'note-1' } }],
  run: async ({ id }, { client }) => (await client.getRecord(id)) ?? unknownMinion(id),
})

export const update = clientOperation({
  name: 'objects.update',
  summary: 'Change a minion',
  description: 'Omitted properties stay. An attribute given as null is cleared, a field given as null is removed.',
  access: 'write',
  atomic: true,
  input: {
    id: MinionId,
    title: Type.Optional(Title),
    ...attributes,
    ifRevision: Type.Optional(text('Fails with CONFLICT unless this is the current revision.', 'k3v9x')),
  },
  output: MinionSchema,
  examples: [{ title: 'Another title', given, input: { id: 'note-1', title: 'Garden' } }],
  run: ({ id, ifRevision, ...patch }, { client }, { by }) =>
    client.update(id, patch, { by, ...(ifRevision !== undefined && { ifRevision }) }),
})

const change = { access: 'write', atomic: true, input, output: MinionSchema } as const

export const softDelete = clientOperation({
  ...change,
  name: 'objects.delete',
  summary: 'Mark a minion as deleted; it can be restored',
  examples: [{ title: 'Delete a note', given, input: { id: 'note-1' } }],
  run: ({ id }, { client }, { by }) => client.softDelete(id, { by }),
})

export const restore = clientOperation({
  ...change,
  name: 'objects.restore',
  summary: 'Restore a deleted minion',
  examples: [
    { title: 'Restore a note', given: [exampleNote, ['objects.delete', { id: 'note-1' }]], input: { id: 'note-1' } },
  ],
  run: ({ id }, { client }, { by }) => client.restore(id, { by }),
})

export const purge = clientOperation({
  ...change,
  name: 'objects.purge',
  summary: 'Remove a minion and all its relations permanently',
  destructive: true,
  examples: [{ title: 'Remove a note', given, input: { id: 'note-1' } }],
  run: ({ id }, { client }, { by }) => client.hardDelete(id, { by }),
})

export const find = clientOperation({
  name: 'objects.find',
  summary: 'Find minions by type, status, tags and conditions',
  access: 'read',
  input: { ...conditions, ...listing },
  output: pageOf(MinionSchema),
  examples: [{ title: 'All notes', given, input: { type: 'note', orderBy: [{ field: 'title' }] } }],
  run: async (input, { client }) => asPage(await client.find(input)),
})

export const search = clientOperation({
  name: 'objects.search',
  summary: 'Find minions by the words in their text',
  access: 'read',
  input: {
    text: text('Words, or beginnings of words, all of which must occur.', 'water pla'),
    ...conditions,
    ...listing,
  },
  output: pageOf(MinionSchema),
  examples: [{ title: 'Beginnings of words', given, input: { text: 'water pla' } }],
  run: async ({ text, ...input }, { client }) => asPage(await client.search(text, input)),
})

export const count = clientOperation({
  name: 'objects.count',
  summary: 'Count minions',
  access: 'read',
  input: { ...conditions, includeDeleted: listing.includeDeleted },
  output: Type.Object({ count: Type.Integer() }),
  examples: [{ title: 'How many notes there are', given, input: { type: 'note' } }],
  run: async (input, { client }) => ({ count: await client.count(input) }),
})
