import { by, type Comparisons, items, same } from './comparison.js'

const year = { name: 'year', type: 'number' }

/** Commands for objects, types and relations. */
export const objectsComparisons: Comparisons = {
  create: () => [
    same(
      ['note', '--title', 'N', '--content', 'c', '--tag', 'a,b'],
      'objects.create',
      {
        type: 'note',
        title: 'N',
        tags: ['a', 'b'],
        fields: { content: 'c' },
      },
      by,
    ),
  ],
  get: () => [same(['note-1'], 'objects.get', { id: 'note-1' })],
  list: () => [
    same(['--type', 'note', '--deleted'], 'objects.find', { type: 'note', includeDeleted: true }, items),
    same(
      ['--where', '{"title":"note-1"}', '--order', 'title:desc', '--limit', '1'],
      'objects.find',
      {
        where: { title: 'note-1' },
        orderBy: [{ field: 'title', direction: 'desc' }],
        limit: 1,
      },
      items,
    ),
  ],
  search: () => [same(['note', '--type', 'note'], 'objects.search', { text: 'note', type: 'note' }, items)],
  update: () => [
    same(
      ['note-1', '--title', 'N', '--status', 'active', '--unset', 'description'],
      'objects.update',
      {
        id: 'note-1',
        title: 'N',
        status: 'active',
        description: null,
      },
      by,
    ),
  ],
  delete: () => [same(['note-1'], 'objects.delete', { id: 'note-1' }, by)],
  restore: () => [same(['note-3'], 'objects.restore', { id: 'note-3' }, by)],
  purge: () => [same(['note-1'], 'objects.purge', { id: 'note-1' }, by)],
  'types list': () => [same([], 'types.list', {})],
  'types show': () => [same(['task'], 'types.get', { type: 'task' })],
  'types create': () => [
    same(['--slug', 'film', '--field', 'year:number!'], 'types.create', {
      slug: 'film',
      schema: [{ ...year, required: true }],
    }),
  ],
  'types evolve': () => {
    const input = { type: 'book', schema: [{ name: 'author', type: 'string' }, year] }
    return [
      same(['book', '--field', 'year:number'], 'types.evolve', input, by),
      same(['book', '--field', 'year:number', '--dry-run'], 'types.planEvolution', input),
    ]
  },
  link: () => [
    same(
      ['note-2', 'depends_on', 'note-1'],
      'relations.link',
      {
        sourceId: 'note-2',
        type: 'depends_on',
        targetId: 'note-1',
      },
      by,
    ),
  ],
  unlink: () => [same(['note-1', 'parent_of', 'note-2'], 'relations.unlink', { id: 'relation-1' })],
  tree: () => [same(['note-1'], 'relations.tree', { id: 'note-1' })],
  graph: () => [
    same(['note-1', 'note-2', '--relation', 'parent_of'], 'diagrams.get', {
      ids: ['note-1', 'note-2'],
      relationTypes: ['parent_of'],
    }),
    same(['--type', 'note'], 'diagrams.get', { type: 'note' }),
    same(['--chain', 'P'], 'diagrams.get', { chain: 'P' }),
  ],
}
