import type { By, JsonObject, MinionsAccess } from '@minions/core'
import { findRootId } from '../chain/find-root.js'
import { loadLivePrompt, loadPrompt } from '../chain/prompt-minion.js'
import { coreError } from '../errors.js'
import { promptTestType } from '../types/prompt-test.js'
import { loadReference, type PromptReference } from '../versions/version-reference.js'
import { type EvaluateOptions, evaluateTests } from './evaluate-tests.js'
import { PromptScorer, writeResults } from './prompt-scorer.js'
import { loadTest, type PromptResultMinion, type PromptTestMinion, testsOf } from './prompt-test.js'
import type { Evaluate, TestEvaluation } from './test-evaluation.js'

/** A new test case. */
export interface TestInput {
  /** An id that was assigned elsewhere; a new one unless given. */
  readonly id?: string | undefined
  /** `Test of <prompt>` unless given. */
  readonly title?: string | undefined
  /** Values by variable name. */
  readonly inputVariables: JsonObject
  /** What a good answer does, for people to read. */
  readonly expectedCriteria?: string | undefined
  /** What is to be scored; each run must score all of these. */
  readonly scoringDimensions?: readonly string[] | undefined
}

export interface RunAllOptions extends By, EvaluateOptions {
  /** Ids of the tests to run; all of the prompt unless given. */
  readonly tests?: readonly string[]
}

/** The tests of prompts. */
export class TestsApi {
  readonly #client: MinionsAccess

  constructor(client: MinionsAccess) {
    this.#client = client
  }

  /** Adds a test to a prompt; given a version, to the version's prompt. */
  async create(promptId: string, input: TestInput, by: By = {}): Promise<PromptTestMinion> {
    const { inputVariables } = input
    if (typeof inputVariables !== 'object' || inputVariables === null || Array.isArray(inputVariables)) {
      throw coreError('VALIDATION_FAILED', 'The inputVariables of a test are an object of values by variable name.')
    }
    const prompt = await loadLivePrompt(this.#client, promptId)
    const rootId = await findRootId(this.#client, prompt)
    const { id, title = `Test of ${prompt.title}`, ...fields } = input
    return this.#client.transaction(async (tx) => {
      const test = await tx.create(promptTestType, { id, title, fields }, by)
      await tx.link({ sourceId: test.id, targetId: rootId, type: 'part_of' }, by)
      return test
    })
  }

  /** The tests of a prompt, oldest first. */
  async list(promptId: string): Promise<PromptTestMinion[]> {
    return testsOf(this.#client, await this.#rootId(promptId))
  }

  /**
   * Runs one test on a prompt or version and records the result. The evaluation is what somebody made of the rendered
   * prompt, or a function that does so.
   */
  async run(
    prompt: PromptReference,
    testId: string,
    evaluation: TestEvaluation | Evaluate,
    by: By = {},
  ): Promise<PromptResultMinion> {
    if (typeof evaluation !== 'function') return new PromptScorer(this.#client).score(prompt, testId, evaluation, by)
    const [result] = await this.runAll(prompt, evaluation, { ...by, tests: [testId] })
    return result as PromptResultMinion
  }

  /**
   * Runs all tests of a prompt, some at a time, and resolves to the results in the order of the tests. They are written
   * together at the end: when an evaluation fails, or the run is cancelled (`RUN_CANCELLED`), nothing is.
   */
  async runAll(
    prompt: PromptReference,
    evaluate: Evaluate,
    options: RunAllOptions = {},
  ): Promise<PromptResultMinion[]> {
    const { by, tests: ids } = options
    const version = await loadReference(this.#client, prompt)
    const tests = await chosenTests(this.#client, await findRootId(this.#client, version), ids)
    const scored = await evaluateTests(this.#client, version, tests, evaluate, options)
    return writeResults(this.#client, version, scored, by === undefined ? {} : { by })
  }

  /** The results of a prompt, version or test, oldest first. */
  async results(id: string): Promise<PromptResultMinion[]> {
    return new PromptScorer(this.#client).results(id)
  }

  async #rootId(promptId: string): Promise<string> {
    return findRootId(this.#client, await loadPrompt(this.#client, promptId))
  }
}

/** The tests with these ids, or all of a prompt. Throws `NOT_FOUND` for one that the prompt does not have. */
export async function chosenTests(
  client: MinionsAccess,
  promptId: string,
  ids: readonly string[] | undefined,
): Promise<PromptTestMinion[]> {
  if (ids === undefined) return testsOf(client, promptId)
  const tests: PromptTestMinion[] = []
  for (const id of new Set(ids)) tests.push(await loadTest(client, promptId, id))
  return tests
}
