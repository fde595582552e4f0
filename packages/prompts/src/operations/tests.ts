import { property } from '@minions/core/operations'
import { MinionSchema, strictObject } from '@minions/core/schema'
import { Type } from 'typebox'
import { ComparisonSchema } from '../compare/comparison.js'
import { DATASET_FORMATS } from '../datasets/import-tests.js'
import { AssertionsSchema, assertionJudge, hasAssertions } from '../scoring/assertions.js'
import { isVersionNumber } from '../versions/resolve-prompt.js'
import {
  AssignedId,
  Evaluated,
  exampleVersions,
  operation,
  PromptName,
  reading,
  Variables,
  Version,
  VersionName,
} from './inputs.js'

const given = [
  ...exampleVersions,
  ['prompts.addTest', { id: 'test-1', prompt: 'Greeting', inputVariables: { name: 'Ada' } }],
] as const

const TestIds = Type.Optional(property.list(Type.String(), 'Ids of tests; default: all.', 'test-1'))

export const addTest = operation({
  name: 'prompts.addTest',
  summary: 'Add a test to a prompt',
  access: 'write',
  atomic: true,
  input: {
    prompt: PromptName,
    inputVariables: Type.Optional(Variables),
    title: Type.Optional(property.text('Title.', 'Greets by name', { minLength: 1 })),
    expectedCriteria: Type.Optional(property.text('What a good answer does, for people to read.', 'Names the reader')),
    scoringDimensions: Type.Optional(
      property.list(Type.String(), 'The scored dimensions; every run must score all of them.', 'contains'),
    ),
    assertions: Type.Optional(
      strictObject(AssertionsSchema.properties, {
        description: 'Assertions on the answer or, without one, on the rendered prompt.',
        examples: [{ contains: ['Ada'] }],
      }),
    ),
    golden: property.flag('A gate fails as soon as this test does.'),
    id: AssignedId,
  },
  output: MinionSchema,
  examples: [
    { title: 'A greeting by name', given: exampleVersions, input: given[2][1] },
    {
      title: 'With assertions',
      given: exampleVersions,
      input: { prompt: 'Greeting', inputVariables: { name: 'Ada' }, assertions: { contains: ['Ada'] } },
    },
  ],
  run: async ({ prompt, inputVariables = {}, ...input }, { prompts }, { by }) =>
    prompts.tests.create(await prompts.resolve(prompt), { ...input, inputVariables }, { by }),
})

export const importTests = operation({
  name: 'prompts.importTests',
  summary: 'Add the tests of a data set to a prompt, all or none',
  description:
    'CSV: columns are variables, and test.title, test.golden, test.contains and the like describe the test. JSONL: one test per line, or only its variables.',
  access: 'write',
  atomic: true,
  input: {
    prompt: PromptName,
    format: property.choice(DATASET_FORMATS, 'Format of the text.', 'csv'),
    text: property.text('The data set.', 'name,test.contains\nAda,Ada\n'),
  },
  output: Type.Object({ added: Type.Integer({ minimum: 0 }) }),
  examples: [
    {
      title: 'Two greetings',
      given: exampleVersions,
      input: { prompt: 'Greeting', format: 'csv', text: 'name,test.contains\nAda,Ada\nBob,Bob\n' },
    },
  ],
  run: async ({ prompt, format, text }, { prompts }, { by }) => ({
    added: await prompts.tests.import(await prompts.resolve(prompt), format, () => text, { by }),
  }),
})

export const testsFromExecutions = operation({
  name: 'prompts.testsFromExecutions',
  summary: 'Create tests from executions of skills',
  access: 'write',
  input: {
    prompt: PromptName,
    skill_name: Type.Optional(property.text('Only those of this skill.', 'answer')),
    agent_id: Type.Optional(property.text('Only those of this subagent.', 'agent-1')),
    status: Type.Optional(property.choice(['success', 'failed'], 'Only those with this outcome.', 'success')),
    started_after: Type.Optional(property.text('Only those that began at or after this time.', '2030-01-31T12:00:00Z')),
    started_before: Type.Optional(property.text('Only those that began before this time.', '2030-02-01')),
    limit: Type.Optional(property.whole('Maximum number of executions.', 100, { minimum: 1 })),
  },
  output: Type.Array(MinionSchema),
  examples: [{ title: 'Of one skill', given: exampleVersions, input: { prompt: 'Greeting', skill_name: 'answer' } }],
  run: async ({ prompt, ...filter }, { prompts }, { by }) =>
    prompts.tests.fromExecutions(await prompts.resolve(prompt), filter, { by }),
})

export const runTests = operation({
  name: 'prompts.runTests',
  summary: 'Run the tests of a prompt and record the results',
  description: 'Each rendered prompt is judged by the assertions of its test, and by those given here.',
  access: 'write',
  input: { prompt: PromptName, version: Type.Optional(VersionName), tests: TestIds, ...AssertionsSchema.properties },
  output: Type.Array(MinionSchema),
  examples: [
    { title: 'Names the reader, briefly', given, input: { prompt: 'Greeting', contains: ['Ada'], maxLength: 200 } },
  ],
  async run({ prompt, version, tests, ...assertions }, { prompts }, { by, signal, progress }) {
    const reference = await prompts.resolve(prompt, version)
    const evaluate = hasAssertions(assertions) ? assertionJudge(assertions) : undefined
    return prompts.tests.runAll(reference, evaluate, {
      by,
      signal,
      ...(tests && { tests }),
      onProgress: ({ done, total, test }) => progress({ done, total, message: test.title }),
    })
  },
})

export const recordResult = operation({
  name: 'prompts.recordResult',
  summary: 'Record the scores that a person or model gave to a test',
  access: 'write',
  atomic: true,
  input: {
    prompt: PromptName,
    version: Type.Optional(VersionName),
    test: property.text('Id of the test.', 'test-1'),
    ...Evaluated,
  },
  output: MinionSchema,
  examples: [
    {
      title: 'A score for tone',
      given,
      input: { prompt: 'Greeting', test: 'test-1', scores: { tone: 90 }, passed: true },
    },
  ],
  run: async ({ prompt, version, test, ...evaluation }, { prompts }, { by }) =>
    prompts.tests.run(await prompts.resolve(prompt, version), test, evaluation, { by }),
})

export const listResults = operation({
  name: 'prompts.listResults',
  summary: 'List the test results of a prompt or version, oldest first',
  access: 'read',
  input: { prompt: PromptName, version: Type.Optional(VersionName) },
  output: Type.Array(MinionSchema),
  examples: [{ title: 'Results of a version', given, input: { prompt: 'Greeting', version: 1 } }],
  async run({ prompt, version }, { prompts }) {
    const { id } = await prompts.get(await prompts.resolve(prompt, version))
    return prompts.tests.results(id)
  },
})

export const compare = operation({
  name: 'prompts.compare',
  summary: 'Compare two prompts or versions on the same tests',
  description: 'With assertions, both are run on the tests of the first; without, their stored results are compared.',
  access: 'read',
  input: {
    a: PromptName,
    b: Version('Id of a prompt or version, title of a prompt, or number of a version of the first.', 1),
    tests: TestIds,
    ...AssertionsSchema.properties,
    seed: Type.Optional(property.whole('Seed of the random numbers; the same seed gives the same result.', 1)),
  },
  output: ComparisonSchema,
  examples: [{ title: 'A prompt with its version', given, input: { a: 'Greeting', b: 1, maxLength: 12 } }],
  async run({ a, b, tests, seed, ...assertions }, { prompts }, { signal }) {
    const first = await prompts.resolve(a)
    const second = isVersionNumber(b) ? await prompts.resolve(first, b) : await prompts.resolve(String(b))
    const common = { signal, ...(seed !== undefined && { seed }), ...(tests && { tests }) }
    return hasAssertions(assertions)
      ? prompts.compare(first, second, { ...common, evaluate: assertionJudge(assertions) })
      : prompts.compare(first, second, { ...common, results: 'stored' })
  },
})

export const listTests = operation({
  name: 'prompts.listTests',
  summary: 'List the tests of a prompt, oldest first',
  ...reading,
  output: Type.Array(MinionSchema),
  examples: [{ title: 'One test', given, input: { prompt: 'Greeting' } }],
  run: async ({ prompt }, { prompts }) => prompts.tests.list(await prompts.resolve(prompt)),
})
