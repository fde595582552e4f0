import { type Comparisons, same } from './comparison.js'

/** Commands for bundles and schemas. */
export const careComparisons: Comparisons = {
  export: () => [same([], 'bundles.export', {}, { part: ({ bundle }) => bundle })],
  import: ({ bundle }) => [same(['b.jsonl'], 'bundles.import', { bundle }, { files: { 'b.jsonl': bundle } })],
  'schemas export': () => [same(['--type', 'task'], 'types.jsonSchema', { type: 'task' })],
}
