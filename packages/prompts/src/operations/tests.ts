import { defineOperation, type JsonObject, MinionSchema } from '@minions/core'
import { Type } from 'typebox'
import { ComparisonSchema } from '../compare/comparison.js'
import { promptsRef } from '../ref.js'
import { AssertionsSchema, assertionEvaluator, hasAssertions } from '../scoring/assertions.js'
import { ScoreSchema } from '../scoring/scores.js'
import { isVersionNumber } from '../versions/resolve-prompt.js'
import { AssignedId, closed, exampleVersions, PromptName, Variables, Version, VersionName } from './inputs.js'

const deps = { prompts: promptsRef }
const given = [
  ...exampleVersions,
  ['prompts.addTest', { id: 'test-1', prompt: 'Greeting', inputVariables: { name: 'Ada' } }],
] as const

const TestIds = Type.Optional(
  Type.Array(Type.String(), { description: 'Ids of tests; all unless given.', examples: [['test-1']] }),
)

export const addTest = defineOperation({
  name: 'prompts.addTest',
  summary: 'Add a test to a prompt',
  access: 'write',
  input: Type.Object(
    {
      prompt: PromptName,
      inputVariables: Type.Optional(Variables),
      title: Type.Optional(
        Type.String({ minLength: 1, description: 'What it is called.', examples: ['Greets by name'] }),
      ),
      expectedCriteria: Type.Optional(
        Type.String({ description: 'What a good answer does, for people to read.', examples: ['Names the reader'] }),
      ),
      scoringDimensions: Type.Optional(
        Type.Array(Type.String(), {
          description: 'What is scored; every run must score all of these.',
          examples: [['contains']],
        }),
      ),
      id: AssignedId,
    },
    closed,
  ),
  output: MinionSchema,
  examples: [{ title: 'A greeting by name', given: exampleVersions, input: given[2][1] }],
  deps,
  run: async ({ prompt, inputVariables = {}, ...input }, { prompts }, { by }) =>
    prompts.tests.create(await prompts.resolve(prompt), { ...input, inputVariables }, { by }),
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
  description: 'Each rendered prompt is judged by the assertions, of which at least one is needed.',
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
    return prompts.tests.runAll(reference, assertionEvaluator(assertions), {
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
  input: Type.Object(
    {
      prompt: PromptName,
      version: Type.Optional(VersionName),
      test: Type.String({ description: 'Id of the test.', examples: ['test-1'] }),
      scores: Type.Record(Type.String(), ScoreSchema, {
        description: 'Integers from 0 to 100 by dimension.',
        examples: [{ tone: 90 }],
      }),
      passed: Type.Boolean({ description: 'The test passed.', examples: [true] }),
      output: Type.Optional(Type.String({ description: 'What the model answered.', examples: ['Hello!'] })),
      metadata: Type.Optional(
        Type.Unsafe<JsonObject>({
          type: 'object',
          description: 'Anything else worth keeping: model, tokens, cost, latency.',
          examples: [{ model: 'large-3' }],
        }),
      ),
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
        Type.Integer({ description: 'Seed of the random numbers; the same gives the same answer.', examples: [1] }),
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
      ? prompts.compare(first, second, { ...common, evaluate: assertionEvaluator(assertions) })
      : prompts.compare(first, second, { ...common, results: 'stored' })
  },
})
