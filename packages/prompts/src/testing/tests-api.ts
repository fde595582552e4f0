import type { By } from '@minions/core'
import { guardMethods, takeFunction, takeOptions } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import { loadLivePrompt, loadPrompt } from '../chain/prompt-minion.js'
import type { TextSource } from '../datasets/dataset-row.js'
import { type ExecutionFilter, type FromExecutionsOptions, testsFromExecutions } from '../datasets/from-executions.js'
import { type DatasetFormat, type ImportTestsOptions, importTests } from '../datasets/import-tests.js'
import { loadReference, type PromptReference } from '../versions/version-reference.js'
import { addTests } from './add-tests.js'
import { type EvaluateOptions, evaluateTests } from './evaluate-tests.js'
import { PromptScorer, writeResults } from './prompt-scorer.js'
import { chosenTests, type PromptResultMinion, type PromptTestMinion, testsOf } from './prompt-test.js'
import type { Evaluate, TestEvaluation } from './test-evaluation.js'
import type { TestInput } from './test-input.js'

export interface RunAllOptions extends By, EvaluateOptions {
  /** Ids of the tests to run. Default: all tests of the prompt. */
  readonly tests?: readonly string[]
}

/** The tests of prompts. */
export class TestsApi {
  readonly #access: PromptAccess

  constructor(access: PromptAccess) {
    this.#access = access
  }

  /** Adds a test to a prompt; given a version, to the version's prompt. */
  async create(promptId: string, input: TestInput, by: By = {}): Promise<PromptTestMinion> {
    const prompt = await loadLivePrompt(this.#access, promptId)
    const id = await this.#access.lookup.rootId(prompt)
    return this.#access.client.transaction(async (tx) => {
      const [test] = await addTests(tx, { id, title: prompt.title }, [input], by)
      return test as PromptTestMinion
    })
  }

  /**
   * Adds the tests of a data set, CSV or JSONL, and resolves to their number. The source is read twice, as a stream:
   * nothing is written unless every row can be used. Run again, it adds missing tests. Throws `DATASET_INVALID` with
   * the line.
   */
  async import(
    promptId: string,
    format: DatasetFormat,
    source: () => TextSource,
    options: ImportTestsOptions = {},
  ): Promise<number> {
    return importTests(this.#access, promptId, format, source, takeOptions('The options of an import', options))
  }

  /** Creates tests from executions of skills. An execution that already has a test is skipped. */
  async fromExecutions(
    promptId: string,
    filter: ExecutionFilter = {},
    options: FromExecutionsOptions = {},
  ): Promise<PromptTestMinion[]> {
    return testsFromExecutions(this.#access, promptId, filter, options)
  }

  /** The tests of a prompt, oldest first. */
  async list(promptId: string): Promise<PromptTestMinion[]> {
    return testsOf(this.#access, await this.#rootId(promptId))
  }

  /**
   * Runs one test on a prompt or version and records the result. The evaluation is a person's assessment of the
   * rendered prompt, or a function that returns one; without it, the assertions of the test decide.
   */
  async run(
    prompt: PromptReference,
    testId: string,
    evaluation?: TestEvaluation | Evaluate,
    by: By = {},
  ): Promise<PromptResultMinion> {
    if (typeof evaluation === 'object') return this.#scorer.score(prompt, testId, evaluation, by)
    const [result] = await this.runAll(prompt, evaluation, { ...by, tests: [testId] })
    return result as PromptResultMinion
  }

  /**
   * Runs all tests of a prompt, several at a time, and resolves to the results in the order of the tests. Each is
   * judged by its assertions and by `evaluate`, if given. The results are written together at the end: when an
   * evaluation fails, or the run is cancelled (`RUN_CANCELLED`), nothing is written.
   */
  async runAll(
    prompt: PromptReference,
    evaluate?: Evaluate,
    options: RunAllOptions = {},
  ): Promise<PromptResultMinion[]> {
    const { by, tests: ids, ...settings } = takeOptions('The options of a run', options)
    takeFunction('`evaluate`', evaluate)
    takeFunction('`onProgress`', settings.onProgress)
    takeFunction('`answer`', settings.answer)
    const version = await loadReference(this.#access, prompt)
    const tests = await chosenTests(this.#access, await this.#access.lookup.rootId(version), ids)
    const scored = await evaluateTests(this.#access, version, tests, evaluate, settings)
    return writeResults(this.#access.client, version, scored, by === undefined ? {} : { by })
  }

  /** The results of a prompt, version or test, oldest first. */
  async results(id: string): Promise<PromptResultMinion[]> {
    return this.#scorer.results(id)
  }

  async #rootId(promptId: string): Promise<string> {
    return this.#access.lookup.rootId(await loadPrompt(this.#access, promptId))
  }

  get #scorer(): PromptScorer {
    return new PromptScorer(this.#access.client, this.#access.lookup)
  }
}

guardMethods(TestsApi, { callsBack: ['run', 'runAll', 'import', 'fromExecutions'] })
