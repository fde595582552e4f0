import type { By, Minion, MinionsAccess } from '@minions/core'
import { type BindAgentOptions, bindAgent, systemPromptOf, unbindAgent } from './agents/agent-binding.js'
import { PromptChain } from './chain/prompt-chain.js'
import {
  isTemplate,
  loadLivePrompt,
  loadPrompt,
  type PromptMinion,
  type PromptTemplateMinion,
  type PromptVersionMinion,
} from './chain/prompt-minion.js'
import { type CompareOptions, comparePrompts } from './compare/compare-prompts.js'
import type { Comparison } from './compare/comparison.js'
import type { DiffResult } from './diff/diff-result.js'
import { PromptDiff } from './diff/prompt-diff.js'
import { coreError } from './errors.js'
import { type LintProblem, lintPrompt } from './lint/lint-prompt.js'
import type { RenderOptions } from './template/compiled-template.js'
import { TestsApi } from './testing/tests-api.js'
import { VariablesApi } from './variables/variables-api.js'
import { addVersion, createPrompt } from './versions/add-version.js'
import { chooseEnds, type DiffEnds } from './versions/choose-ends.js'
import { chooseToPublish, chooseToRollBack } from './versions/choose-version.js'
import type { PromptInput, VersionInput } from './versions/prompt-input.js'
import { publishVersion } from './versions/publication.js'
import { publishedVersions } from './versions/publications.js'
import { renderPrompt } from './versions/render-prompt.js'
import { resolvePromptId, resolveReference } from './versions/resolve-prompt.js'
import { loadReference, loadVersion, type PromptReference, type VersionChoice } from './versions/version-reference.js'

/** What can be changed of a prompt or version apart from its content, which changes by versions only. */
export interface PromptPatch {
  readonly title?: string
  readonly description?: string | null
  readonly tags?: readonly string[] | null
}

/**
 * Versioned prompts in a store. Wherever an id of a prompt or version is taken, unknown ids throw `NOT_FOUND` and those
 * of other things `PROMPT_TYPE_MISMATCH`. Every writing method is atomic and, on the client of a transaction, part of it.
 */
export class PromptsApi {
  readonly variables: VariablesApi
  readonly tests: TestsApi
  readonly #client: MinionsAccess
  readonly #chain: PromptChain

  constructor(client: MinionsAccess) {
    this.#client = client
    this.#chain = new PromptChain(client)
    this.variables = new VariablesApi(client)
    this.tests = new TestsApi(client)
  }

  /** Creates a prompt. Throws `TemplateError` when its content is malformed. */
  async create(input: PromptInput, by: By = {}): Promise<PromptTemplateMinion> {
    return createPrompt(this.#client, input, by)
  }

  /** A prompt as it is stored, with what is published, or a version. By id, deleted ones are found too. */
  async get(prompt: PromptReference): Promise<PromptMinion> {
    return typeof prompt === 'string' ? loadPrompt(this.#client, prompt) : loadReference(this.#client, prompt)
  }

  /**
   * What a name stands for: the id of a prompt or version, or the title of a prompt; with a version, its number (`2`, `'v2'`)
   * or id. Throws `NOT_FOUND` for a name that is unknown or the title of several prompts.
   */
  resolve(prompt: string): Promise<string>
  resolve(prompt: string, version: VersionChoice | undefined): Promise<PromptReference>
  async resolve(prompt: string, version?: VersionChoice): Promise<PromptReference> {
    return version === undefined
      ? resolvePromptId(this.#client, prompt)
      : resolveReference(this.#client, prompt, version)
  }

  /** Adds a version: given a prompt, after its latest version; given a version, after that one. */
  async addVersion(promptOrVersionId: string, input: VersionInput, by: By = {}): Promise<PromptVersionMinion> {
    return addVersion(this.#client, promptOrVersionId, input, by)
  }

  /** Adds a version on somebody's behalf, an agent's say. What the prompt renders stays the same until it is published. */
  async proposeVersion(
    promptOrVersionId: string,
    input: VersionInput,
    by: { readonly by: string },
  ): Promise<PromptVersionMinion> {
    if (!by?.by) throw coreError('VALIDATION_FAILED', 'A proposal says who makes it: pass { by } with an id.')
    return addVersion(this.#client, promptOrVersionId, input, by)
  }

  /** Changes title, description or tags. */
  async update(promptOrVersionId: string, patch: PromptPatch, by: By = {}): Promise<PromptMinion> {
    await loadLivePrompt(this.#client, promptOrVersionId)
    const { title, description, tags, ...rest } = patch
    const fields = { ...(description !== undefined && { description }), ...(tags !== undefined && { tags }) }
    return (await this.#client.update(promptOrVersionId, { ...rest, title, fields }, by)) as PromptMinion
  }

  /**
   * Renders a prompt as it is published, or a version; `{ prompt, version: 0 }` is the prompt as it was at first. Declared defaults are applied; a value that does not fit its
   * declared type is refused, and so is a missing one.
   */
  async render(
    prompt: PromptReference,
    variables: Readonly<Record<string, unknown>> = {},
    options: RenderOptions = {},
  ): Promise<string> {
    return renderPrompt(this.#client, prompt, variables, options)
  }

  /** The prompt as it was at first, which is version 0, and all its versions, oldest first. */
  async history(promptOrVersionId: string): Promise<PromptMinion[]> {
    return this.#chain.getVersionChain(promptOrVersionId)
  }

  /** The latest version; the prompt itself when there is none. */
  async latest(promptOrVersionId: string): Promise<PromptMinion> {
    return this.#chain.getLatestVersion(promptOrVersionId)
  }

  /** What was the latest version at a time; undefined before there was any. */
  async versionAt(promptOrVersionId: string, date: Date | number | string): Promise<PromptMinion | undefined> {
    return this.#chain.getVersionAtDate(promptOrVersionId, date)
  }

  /** The last version of each branch, oldest first. */
  async branches(promptOrVersionId: string): Promise<PromptMinion[]> {
    return this.#chain.getLeaves(promptOrVersionId)
  }

  /**
   * Makes a version the current state of its prompt: given a version, that one; given a prompt, the version chosen by id
   * or number, or its latest. Resolves to the prompt.
   */
  async publish(prompt: PromptReference, version?: VersionChoice | By, by: By = {}): Promise<PromptTemplateMinion> {
    const [id, choice, who] = chosen(prompt, version, by)
    const { promptId, versionId } = await chooseToPublish(this.#client, id, choice)
    return publishVersion(this.#client, promptId, versionId, who)
  }

  /**
   * Publishes an older version: the one given or chosen, or else the nearest before the published one that is not
   * deleted. The first state of a prompt can be had back too, as version 0. Nothing is deleted. Resolves to the prompt.
   */
  async rollback(prompt: PromptReference, version?: VersionChoice | By, by: By = {}): Promise<PromptTemplateMinion> {
    const [id, choice, who] = chosen(prompt, version, by)
    const { promptId, versionId } = await chooseToRollBack(this.#client, id, choice)
    return publishVersion(this.#client, promptId, versionId, who)
  }

  /** The version that is published; the prompt itself when none was. */
  async published(promptOrVersionId: string): Promise<PromptMinion> {
    const prompt = await this.#chain.getRoot(promptOrVersionId)
    return (isTemplate(prompt) && (await this.publishedVersions([prompt])).get(prompt.id)) || prompt
  }

  /** What is published of several prompts, by the prompt's id, in a few queries. */
  async publishedVersions(prompts: readonly PromptTemplateMinion[]): Promise<Map<string, PromptMinion>> {
    return publishedVersions(this.#client, prompts)
  }

  /** What changed from one version to another; a prompt's id stands for version 0. */
  async diff(a: PromptReference, b: PromptReference): Promise<DiffResult> {
    return new PromptDiff().diff(await loadVersion(this.#client, a), await loadVersion(this.#client, b))
  }

  /** What changed between versions of a prompt that are named as `resolve` takes them; by the latest unless given. */
  async changes(prompt: string, ends: DiffEnds = {}): Promise<DiffResult> {
    return this.diff(...(await chooseEnds(this.#client, prompt, ends)))
  }

  /** What is likely to go wrong with a prompt or version; see `LINT_RULES`. */
  async lint(promptOrVersionId: string): Promise<LintProblem[]> {
    return lintPrompt(this.#client, promptOrVersionId)
  }

  /** Compares two prompts or versions on the same tests. Writes nothing; the same seed gives the same numbers. */
  async compare(a: PromptReference, b: PromptReference, options: CompareOptions): Promise<Comparison> {
    return comparePrompts(this.#client, a, b, options)
  }

  /** Lets an agent's `systemPrompt` follow what is published of a prompt. Resolves to the agent. */
  async bindAgent(agentId: string, promptId: string, options: BindAgentOptions = {}): Promise<Minion> {
    return bindAgent(this.#client, agentId, promptId, options)
  }

  /** Ends a binding; the agent keeps the text it has. False when it had none. */
  async unbindAgent(agentId: string, by: By = {}): Promise<boolean> {
    return unbindAgent(this.#client, agentId, by)
  }

  /** What an agent runs with now: the published state of the prompt it is bound to, or its own `systemPrompt`. */
  async systemPrompt(agentId: string): Promise<string | undefined> {
    return systemPromptOf(this.#client, agentId)
  }
}

/** The choice may be left out, or be part of the reference. */
function chosen(
  prompt: PromptReference,
  version: VersionChoice | By | undefined,
  by: By,
): [id: string, choice: VersionChoice | undefined, by: By] {
  const [choice, who] = typeof version === 'object' ? [undefined, version] : [version, by]
  return typeof prompt === 'string' ? [prompt, choice, who] : [prompt.prompt, choice ?? prompt.version, who]
}
