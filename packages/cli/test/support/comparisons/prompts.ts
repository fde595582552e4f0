import { by, type Comparisons, items, same } from './comparison.js'

const P = { prompt: 'P' }
const LETTER = '---\ntitle: Letter\n---\nDear {{name}}\n'

/** Commands for prompts. */
export const promptsComparisons: Comparisons = {
  'prompts new': () => [
    same(
      ['--title', 'Q', '--name', 'crm/q', '--content', '{{a}}', '--tag', 'crm'],
      'prompts.create',
      {
        title: 'Q',
        name: 'crm/q',
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
    same(['P', '--var', 'name=Ada', '--label', 'production', '--key', 'k'], 'prompts.render', {
      ...P,
      variables: { name: 'Ada' },
      label: 'production',
      key: 'k',
    }),
    same(['P', '--no-strict', '--vars', '{"name":"Bo"}', '--version', '0'], 'prompts.render', {
      ...P,
      variables: { name: 'Bo' },
      strict: false,
      version: 0,
    }),
  ],
  'prompts rename': () => [same(['P', 'crm/p'], 'prompts.rename', { ...P, name: 'crm/p' }, by)],
  'prompts used-by': () => [same(['--prompt', 'P'], 'prompts.usedBy', P)],
  'prompts record-outcome': () => [
    same(
      ['--prompt', 'P', '--label', 'production', '--key', 'k', '--scores', '{"helpful":100}', '--passed'],
      'prompts.recordOutcome',
      { ...P, label: 'production', key: 'k', scores: { helpful: 100 }, passed: true },
      by,
    ),
  ],
  'prompts tests-from-executions': () => [
    same(
      ['--prompt', 'P', '--skill_name', 'answer'],
      'prompts.testsFromExecutions',
      { ...P, skill_name: 'answer' },
      by,
    ),
  ],
  'prompts gate': () => [same(['P', '--contains', 'a'], 'prompts.gate', { ...P, contains: ['a'] })],
  'prompts import-tests': () => [
    same(
      ['P', 'cases.csv'],
      'prompts.importTests',
      { ...P, format: 'csv', text: 'name,test.contains\nAda,Ada\n' },
      { ...by, files: { 'cases.csv': 'name,test.contains\nAda,Ada\n' } },
    ),
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
  'prompts labels list': () => [same(['P'], 'prompts.listLabels', P)],
  'prompts labels history': () => [
    same(['P'], 'prompts.labelHistory', P),
    same(['P', 'production'], 'prompts.labelHistory', { ...P, label: 'production' }),
  ],
  'prompts labels set': () => [
    same(
      ['P', 'staging', '1', '--reason', 'r', '--if-move', '0'],
      'prompts.setLabel',
      { ...P, label: 'staging', version: 1, reason: 'r', ifMove: 0 },
      by,
    ),
    same(['P', 'production'], 'prompts.promote', { ...P, label: 'production' }, by),
  ],
  'prompts labels remove': () => [same(['P', 'canary'], 'prompts.removeLabel', { ...P, label: 'canary' }, by)],
  'prompts labels split': () => [
    same(
      ['P', 'staging', '0=90', '1=10', '--salt', 's'],
      'prompts.splitTraffic',
      {
        ...P,
        label: 'staging',
        salt: 's',
        shares: [
          { version: 0, weight: 90 },
          { version: 1, weight: 10 },
        ],
      },
      by,
    ),
  ],
  'prompts labels stop': () => [
    same(['P', 'canary', '1'], 'prompts.stopSplit', { ...P, label: 'canary', version: 1 }, by),
  ],
  'prompts labels compare': () => [same(['P', 'canary'], 'prompts.compareSplit', { ...P, label: 'canary' })],
  'prompts labels protect': () => [same(['gold'], 'prompts.protectLabel', { label: 'gold' }, by)],
  'prompts labels unprotect': () => [same(['gold'], 'prompts.unprotectLabel', { label: 'gold' })],
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
      ['P', '--add', '--title', 't', '--input', '{"name":"Bo"}', '--dimension', 'd', '--contains', 'Bo', '--golden'],
      'prompts.addTest',
      {
        ...P,
        title: 't',
        inputVariables: { name: 'Bo' },
        scoringDimensions: ['d'],
        assertions: { contains: ['Bo'] },
        golden: true,
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
    same(
      ['p.prompt', '--format', 'dotprompt', '--name', 'q'],
      'prompts.importFrom',
      { format: 'dotprompt', document: 'Hi {{name}}', name: 'q' },
      { ...by, files: { 'p.prompt': 'Hi {{name}}' }, part: ({ prompt }) => prompt },
    ),
  ],
  'prompts pull': () => [same(['folder'], 'prompts.pullFiles', {})],
  'prompts push': () => [
    same(
      ['.', '--dry-run'],
      'prompts.pushFiles',
      { files: [{ path: 'letter.md', text: LETTER }], dryRun: true },
      { ...by, files: { 'letter.md': LETTER } },
    ),
  ],
}
