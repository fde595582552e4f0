import type { JsonObject } from '@minions/core/json'
import {
  isVersionNumber,
  type PromptReference,
  type PromptResultMinion,
  type PromptTestMinion,
  summaryLine,
  summaryOf,
  type TestEvaluation,
} from '@minions/prompts'
import type { Cli } from '../../cli.js'
import { readContent, readObject } from '../../input/content.js'
import { evaluationOptions, readAnswer, readAssertions, readEvaluation } from '../../input/evaluation.js'
import { pick } from '../../input/references.js'
import { print, printTable, table } from '../../output/output.js'
import { addCommand, type Command, type CommandBuilder, type OptionsOf } from '../../program/command.js'
import { collect, collectTags, given, wholeNumber } from '../../program/options.js'
import { UsageError } from '../../program/usage-error.js'
import { comparisonText } from './comparison-output.js'
import { BY, type PromptsApp, promptCommand, withPrompt, withPrompts } from './prompts-app.js'

export function registerTesting(prompts: Command, cli: Cli): void {
  promptCommand(prompts, 'test', 'add, list or run the tests of a prompt')
    .examples(
      `prompts test Greeting --add --input '{"name":"Ada"}' --dimension contains`,
      `prompts test Greeting --add --input '{"name":"Ada"}' --contains Ada --not-contains '{{' --golden`,
      'prompts test Greeting --contains Ada --max-length 200',
      'prompts test Greeting --answer ./ask-model.mjs',
    )
    .with(testOptions)
    .onNamed(cli, withPrompt, (app, id, options) => test(cli, app, id, options))
  addCommand(prompts, 'compare', 'compare two prompts or versions on the same tests')
    .examples('prompts compare 0b0e4f0a-… 7f1c22d9-… --evaluator ./judge.mjs', 'prompts compare Greeting 2')
    .with(evaluationOptions)
    .argument('<a>', 'name, title, id, or id prefix')
    .argument('<b>', 'name, title, id or its beginning, or number of a version of the first')
    .option('--seed <n>', 'seed of the random numbers, to repeat a result', wholeNumber(0))
    .on(cli, withPrompts, async (app, a, b, options) => {
      const first = await app.prompts.resolve(a)
      const second = isVersionNumber(b) ? await app.prompts.resolve(first, b) : await app.prompts.resolve(b)
      const evaluate = await readEvaluation(cli, options)
      const answer = await readAnswer(cli, options)
      const common = given({ seed: options.seed })
      const comparison = evaluate
        ? await app.prompts.compare(first, second, { ...common, ...given({ answer }), evaluate, signal: cli.signal })
        : await app.prompts.compare(first, second, { ...common, results: 'stored' })
      print(cli, comparison, () => comparisonText(comparison))
    })
}

function testOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .with(evaluationOptions)
    .option('--add', 'add a test instead of running')
    .option('--list', 'list the tests instead of running')
    .option('--title <text>', 'with --add')
    .option('--input <json>', 'with --add: values by variable name, @file or -')
    .option('--criteria <text>', 'with --add: what a good answer does, in words')
    .option('--dimension <name>', 'with --add: what is scored; may be repeated', collectTags)
    .option('--golden', 'with --add: a gate fails as soon as this test does')
    .option('--test <id>', 'run this test only: id, id prefix, or title; may be repeated', collect)
    .option('--version <version>', 'run on a version, by number, id, or id prefix')
    .option('--scores <json>', 'record these scores for one --test instead of judging')
    .option('--output <text>', 'with --scores: the answer; text, @file or -')
    .option('--failed', 'with --scores: the test did not pass')
    .option(...BY)
}

type TestOptions = OptionsOf<typeof testOptions>

async function test(cli: Cli, app: PromptsApp, id: string, options: TestOptions): Promise<void> {
  if (options.add) return addTest(cli, app, id, options)
  if (options.list) return listTests(cli, app, id)
  const tests = options.test && (await testsMeant(app, id, options.test))
  const chosen = { ...options, ...given({ test: tests }) }
  const results = await runTests(cli, app, await app.prompts.resolve(id, options.version), chosen)
  print(cli, results, () => `${resultTable(results)}\n\n${summaryLine(summaryOf(results))}`)
  if (results.some(({ fields }) => !fields.passed)) cli.exitCode = 1
}

/** The ids of tests from ids, prefixes or titles. */
async function testsMeant(app: PromptsApp, id: string, references: readonly string[]): Promise<string[]> {
  const tests = await app.prompts.tests.list(id)
  const list = `minions prompts test ${id} --list`
  const named = ({ id: testId, title }: PromptTestMinion) => ({ id: testId, name: title })
  return references.map((reference) => pick(reference, tests, { what: 'a test', list, named }).id)
}

async function addTest(cli: Cli, app: PromptsApp, id: string, options: TestOptions): Promise<void> {
  const { title, criteria: expectedCriteria, dimension: scoringDimensions } = options
  const inputVariables = (await readObject(cli, options.input ?? '{}', '--input')) as JsonObject
  const assertions = await readAssertions(cli, options)
  const { golden } = options
  const input = { inputVariables, ...given({ title, expectedCriteria, scoringDimensions, assertions, golden }) }
  const added = await app.prompts.tests.create(id, input, given({ by: options.by }))
  print(cli, added, () => `Added test ${added.id}`)
}

async function listTests(cli: Cli, app: PromptsApp, id: string): Promise<void> {
  const tests = await app.prompts.tests.list(id)
  printTable(cli, tests, 'No tests.', {
    id: 'id',
    title: 'title',
    input: (row) => row.fields.inputVariables,
    asserts: (row) => row.fields.assertions,
    dimensions: (row) => row.fields.scoringDimensions?.join(', '),
  })
}

async function runTests(
  cli: Cli,
  app: PromptsApp,
  prompt: PromptReference,
  options: TestOptions,
): Promise<PromptResultMinion[]> {
  const by = given({ by: options.by })
  if (options.scores !== undefined) {
    const [testId, second] = options.test ?? []
    if (testId === undefined || second !== undefined) throw new UsageError('--scores needs exactly one --test <id>')
    const output = options.output === undefined ? undefined : await readContent(cli, options.output)
    const scores = (await readObject(cli, options.scores, '--scores')) as TestEvaluation['scores']
    return [await app.prompts.tests.run(prompt, testId, { scores, passed: !options.failed, ...given({ output }) }, by)]
  }
  const evaluate = await readEvaluation(cli, options)
  const answer = await readAnswer(cli, options)
  const chosen = given({ tests: options.test, answer })
  return app.prompts.tests.runAll(prompt, evaluate, { ...by, ...chosen, signal: cli.signal })
}

function resultTable(results: readonly PromptResultMinion[]): string {
  return table(results, 'The prompt has no tests; add one with --add.', {
    result: 'id',
    passed: ({ fields }) => (fields.passed ? 'yes' : 'NO'),
    scores: ({ fields }) => fields.scores,
    judged: ({ fields }) => fields.output ?? fields.renderedPrompt,
  })
}
