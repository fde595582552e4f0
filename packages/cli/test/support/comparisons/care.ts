import { by, type Comparisons, items, same } from './comparison.js'

/** Commands for bundles, schemas, keys and models. */
export const careComparisons: Comparisons = {
  export: () => [same([], 'bundles.export', {}, { part: ({ bundle }) => bundle })],
  import: ({ bundle }) => [same(['b.jsonl'], 'bundles.import', { bundle }, { files: { 'b.jsonl': bundle } })],
  'keys create': () => [
    same(
      ['--owner', 'bob', '--scope', 'write', '--expires', '2099-12-31'],
      'keys.create',
      { owner: 'bob', scopes: ['write'], expiresAt: '2099-12-31' },
      by,
    ),
  ],
  'keys list': () => [same([], 'keys.list', {}, items)],
  'keys revoke': () => [same(['--owner', 'bob'], 'keys.revoke', { owner: 'bob' }, by)],
  'models list': () => [same([], 'models.list', {})],
  'models test': () => [same([], 'models.test', {})],
  'schemas export': () => [same(['--type', 'task'], 'types.jsonSchema', { type: 'task' })],
}
