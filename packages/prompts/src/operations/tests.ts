import { defineOperation } from '@minions/core/operations'
import { MinionSchema } from '@minions/core/schema'
import { Type } from 'typebox'
import { ComparisonSchema } from '../compare/comparison.js'
import { DATASET_FORMATS } from '../datasets/import-tests.js'
import { promptsRef } from '../ref.js'
import { AssertionsSchema, assertionJudge, hasAssertions } from '../scoring/assertions.js'
import { isVersionNumber } from '../versions/resolve-prompt.js'
import {
  AssignedId,
  closed,
  Evaluated,
  exampleVersions,
  PromptName,
  Variables,
  Version,
  VersionName,
} from './inputs.js'

const deps = { prompts: promptsRef }
const given = [
  ...exampleVersions,
  ['prompts.addTest', { id: 'test-1', prompt: 'Greeting', inputVariables: { name: 'Ada' } }],
] as const

const TestIds = Type.Optional(
  Type.Array(Type.String(), { description: 'Ids of tests; default: all.', examples: [['test-1']] }),
)

export const addTest = defineOperation({
  name: 'prompts.addTest',
  summary: 'Add a test to a prompt',
  access: 'write',
  atomic: true,
  input: Type.Object(
    {
      prompt: PromptName,
      inputVariables: Type.Optional(Variables),
      title: Type.Optional(Type.String({ minLength: 1, description: 'Title.', examples: ['Greets by name'] })),
      expectedCriteria: Type.Optional(
        Type.String({ description: 'What a good answer does, for people to read.', examples: ['Names the reader'] }),
      ),
      scoringDimensions: Type.Optional(
        Type.Array(Type.String(), {
          description: 'The scored dimensions; every run must score all of them.',
          examples: [['contains']],
        }),
      ),
      assertions: Type.Optional(
        Type.Object(AssertionsSchema.properties, {
          ...closed,
          description: 'Assertions on the answer or, without one, on the rendered prompt.',
          examples: [{ contains: ['Ada'] }],
        }),
      ),
      golden: Type.Optional(Type.Boolean({ description: 'A gate fails as soon as this test does.', examples: [true] })),
      id: AssignedId,
    },
    closed,
  ),
  output: MinionSchema,
  examples: [
    { title: 'A greeting by name', given: exampleVersions, input: given[2][1] },
    {
      title: 'With assertions',
      given: exampleVersions,
      input: { prompt: 'Greeting', inputVariables: { name: 'Ada' }, assertions: { contains: ['Ada'] } },
    },
  ],
  deps,
  run: async ({ prompt, inputVariables = {}, ...input }, { prompts }, { by }) =>
    prompts.tests.create(await prompts.resolve(prompt), { ...input, inputVariables }, { by }),
})

export const importTests = defineOperation({
  name: 'prompts.importTests',
  summary: 'Add the tests of a data set to a prompt, all or none',
  description:
    'CSV: columns are variables, and test.title, test.golden, test.contains and the like describe the test. JSONL: one test per line, or only its variables.',
  access: 'write',
  atomic: true,
  input: Type.Object(
    {
      prompt: PromptName,
      format: Type.Enum([...DATASET_FORMATS], { description: 'Format of the text.', examples: ['csv'] }),
      text: Type.String({ description: 'The data set.', examples: ['name,test.contains\nAda,Ada\n'] }),
    },
    closed,
  ),
  output: Type.Object({ added: Type.Integer({ minimum: 0 }) }),
  examples: [
    {
      title: 'Two greetings',
      given: exampleVersions,
      input: { prompt: 'Greeting', format: 'csv', text: 'name,test.contains\nAda,Ada\nBob,Bob\n' },
    },
  ],
  deps,
  run: async ({ prompt, format, text }, { prompts }, { by }) => ({
    added: await prompts.tests.import(await prompts.resolve(prompt), format, () => text, { by }),
  }),
})

export const testsFromExecutions = defineOperation({
  name: 'prompts.testsFromExecutions',
  summary: 'Create tests from executions of skills',
  access: 'write',
  input: Type.Object(
    {
      prompt: PromptName,
      skill_name: Type.Optional(Type.String({ description: 'Only those of this skill.', examples: ['answer'] })),
      agent_id: Type.Optional(Type.String({ description: 'Only those of this subagent.', examples: ['agent-1'] })),
      status: Type.Optional(
        Type.Enum(['success', 'failed'], { description: 'Only those with this outcome.', examples: ['success'] }),
      ),
      started_after: Type.Optional(
        Type.String({
          description: 'Only those that began at or after this time.',
          examples: ['2030-01-31T12:00:00Z'],
        }),
      ),
      started_before: Type.Optional(
        Type.String({ description: 'Only those that began before this time.', examples: ['2030-02-01'] }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum number of executions.', examples: [100] })),
    },
    closed,
  ),
  output: Type.Array(MinionSchema),
  examples: [{ title: 'Of one skill', given: exampleVersions, input: { prompt: 'Greeting', skill_name: 'answer' } }],
  deps,
  run: async ({ prompt, ...filter }, { prompts }, { by }) =>
    prompts.tests.fromExecutions(await prompts.resolve(prompt), filter, { by }),
})

export const listTests = defineOperation({
  name: 'prompts.listTests',
  summary: 'List the tests of a prompt, oldest first',
  access: 'read',
  input: Type.Object({ prompt: PromptName }, closed),
  output: Type.Array(MinionSchema),
  examples: [{ title: 'One test', given, input: { prompt: 'Greeting' } }],
  deps,
  run: async ({ prompt }, { prompts }) => prompts.tests.list(await prompts.resolve(prompt)),
})

export const runTests = defineOperation({
  name: 'prompts.runTests',
  summary: 'Run the tests of a prompt and record the results',
  description: 'Each rendered prompt is judged by the assertions of its test, and by those given here.',
  access: 'write',
  input: Type.Object(
    { prompt: PromptName, version: Type.Optional(VersionName), tests: TestIds, ...AssertionsSchema.properties },
    closed,
  ),
  output: Type.Array(MinionSchema),
  examples: [
    { title: 'Names the reader, briefly', given, input: { prompt: 'Greeting', contains: ['Ada'], maxLength: 200 } },
  ],
  deps,
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

export const recordResult = defineOperation({
  name: 'prompts.recordResult',
  summary: 'Record the scores that a person or model gave to a test',
  access: 'write',
  atomic: true,
  input: Type.Object(
    {
      prompt: PromptName,
      version: Type.Optional(VersionName),
      test: Type.String({ description: 'Id of the test.', examples: ['test-1'] }),
      ...Evaluated,
    },
    closed,
  ),
  output: MinionSchema,
  examples: [
    {
      title: 'A score for tone',
      given,
      input: { prompt: 'Greeting', test: 'test-1', scores: { tone: 90 }, passed: true },
    },
  ],
  deps,
  run: async ({ prompt, version, test, ...evaluation }, { prompts }, { by }) =>
    prompts.tests.run(await prompts.resolve(prompt, version), test, evaluation, { by }),
})

export const listResults = defineOperation({
  name: 'prompts.listResults',
  summary: 'List the test results of a prompt or version, oldest first',
  access: 'read',
  input: Type.Object({ prompt: PromptName, version: Type.Optional(VersionName) }, closed),
  output: Type.Array(MinionSchema),
  examples: [{ title: 'Results of a version', given, input: { prompt: 'Greeting', version: 1 } }],
  deps,
  async run({ prompt, version }, { prompts }) {
    const { id } = await prompts.get(await prompts.resolve(prompt, version))
    return prompts.tests.results(id)
  },
})

export const compare = defineOperation({
  name: 'prompts.compare',
  summary: 'Compare two prompts or versions on the same tests',
  description: 'With assertions, both are run on the tests of the first; without, their stored results are compared.',
  access: 'read',
  input: Type.Object(
    {
      a: PromptName,
      b: Version('Id of a prompt or version, title of a prompt, or number of a version of the first.', 1),
      tests: TestIds,
      ...AssertionsSchema.properties,
      seed: Type.Optional(
        Type.Integer({
          description: 'Seed of the random numbers; the same seed gives the same result.',
          examples: [1],
        }),
      ),
    },
    closed,
  ),
  output: ComparisonSchema,
  examples: [{ title: 'A prompt with its version', given, input: { a: 'Greeting', b: 1, maxLength: 12 } }],
  deps,
  async run({ a, b, tests, seed, ...assertions }, { prompts }, { signal }) {
    const first = await prompts.resolve(a)
    const second = isVersionNumber(b) ? await prompts.resolve(first, b) : await prompts.resolve(String(b))
    const common = { signal, ...(seed !== undefined && { seed }), ...(tests && { tests }) }
    return hasAssertions(assertions)
      ? prompts.compare(first, second, { ...common, evaluate: assertionJudge(assertions) })
      : prompts.compare(first, second, { ...common, results: 'stored' })
  },
})
