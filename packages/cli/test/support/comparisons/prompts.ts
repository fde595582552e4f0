import { by, type Comparisons, items, same } from './comparison.js'

const P = { prompt: 'P' }

/** Commands for prompts. */
export const promptsComparisons: Comparisons = {
  'prompts new': () => [
    same(
      ['--title', 'Q', '--content', '{{a}}', '--tag', 'crm'],
      'prompts.create',
      {
        title: 'Q',
        content: '{{a}}',
        tags: ['crm'],
      },
      by,
    ),
  ],
  'prompts show': () => [
    same(['P'], 'prompts.get', P),
    same(['P', '--version', '0'], 'prompts.get', { ...P, version: 0 }),
  ],
  'prompts list': () => [same([], 'prompts.list', {}, items)],
  'prompts render': () => [
    same(['P', '--var', 'name=Ada'], 'prompts.render', { ...P, variables: { name: 'Ada' } }),
    same(['P', '--no-strict', '--vars', '{"name":"Bo"}', '--version', '0'], 'prompts.render', {
      ...P,
      variables: { name: 'Bo' },
      strict: false,
      version: 0,
    }),
  ],
  'prompts lint': () => [same(['P'], 'prompts.lint', P)],
  'prompts version': () => [
    same(
      ['P', '--content', '{{name}}!', '--changelog', 'c', '--title', 't'],
      'prompts.addVersion',
      {
        ...P,
        content: '{{name}}!',
        changelog: 'c',
        title: 't',
      },
      by,
    ),
  ],
  'prompts publish': () => [same(['P', '0'], 'prompts.publish', { ...P, version: 0 }, by)],
  'prompts rollback': () => [same(['P'], 'prompts.rollback', P, by)],
  'prompts history': () => [same(['P'], 'prompts.history', P)],
  'prompts diff': () => [
    same(['P'], 'prompts.diff', P),
    same(['P', '1', '0'], 'prompts.diff', { ...P, from: 1, to: 0 }),
  ],
  'prompts variables list': () => [same(['P'], 'prompts.listVariables', P)],
  'prompts variables set': () => [
    same(
      ['P', 'n', '--type', 'number', '--default', '3', '--no-required'],
      'prompts.setVariable',
      {
        ...P,
        name: 'n',
        variableType: 'number',
        defaultValue: '3',
        required: false,
      },
      by,
    ),
  ],
  'prompts variables remove': () => [same(['P', 'name'], 'prompts.removeVariable', { ...P, name: 'name' }, by)],
  'prompts test': ({ test }) => [
    same(['P', '--list'], 'prompts.listTests', P),
    same(
      ['P', '--add', '--title', 't', '--input', '{"name":"Bo"}', '--dimension', 'd'],
      'prompts.addTest',
      {
        ...P,
        title: 't',
        inputVariables: { name: 'Bo' },
        scoringDimensions: ['d'],
      },
      by,
    ),
    same(
      ['P', '--contains', 'Ada', '--max-length', '2'],
      'prompts.runTests',
      { ...P, contains: ['Ada'], maxLength: 2 },
      by,
    ),
    same(
      ['P', '--test', test, '--scores', '{"tone":1}', '--output', 'o'],
      'prompts.recordResult',
      {
        ...P,
        test,
        scores: { tone: 1 },
        passed: true,
        output: 'o',
      },
      { ...by, part: (result) => [result] },
    ),
  ],
  'prompts compare': () => [
    same(['P', '1', '--contains', 'Ada', '--max-length', '9', '--seed', '4'], 'prompts.compare', {
      a: 'P',
      b: 1,
      contains: ['Ada'],
      maxLength: 9,
      seed: 4,
    }),
  ],
  'prompts export': () => [
    same(['P'], 'prompts.export', P),
    same(['P', '--format', 'mermaid'], 'prompts.export', { ...P, format: 'mermaid' }),
  ],
  'prompts import': ({ document }) => [
    same(['p.json'], 'prompts.import', { document: JSON.parse(document) }, { files: { 'p.json': document } }),
  ],
}
