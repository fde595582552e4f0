import { type By, coreError, type Minion, type MinionsAccess, type Page } from '@minions/core'
import { guardMethods, takeList, takeOptions } from '@minions/core/plugin'
import type { PromptAccess } from './access.js'
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
import type { RenderedMessage } from './chat/message.js'
import { type CompareOptions, comparePrompts } from './compare/compare-prompts.js'
import type { Comparison } from './compare/comparison.js'
import type { DiffResult } from './diff/diff-result.js'
import { PromptDiff } from './diff/prompt-diff.js'
import { type FragmentUser, fragmentUsers } from './fragments/fragment-users.js'
import { type GateOptions, gatePrompt } from './gate/gate-prompt.js'
import type { GateReport } from './gate/gate-report.js'
import type { LabelCache } from './labels/label-cache.js'
import { PRODUCTION } from './labels/label-name.js'
import { type ReadTarget, readLabel, targetReader } from './labels/label-reader.js'
import { LabelsApi } from './labels/labels-api.js'
import type { MoveOptions } from './labels/move-label.js'
import { type LintOptions, type LintProblem, lintPrompt } from './lint/lint-prompt.js'
import type { PromptLookup } from './lookup/prompt-lookup.js'
import { RelationLookup } from './lookup/relation-lookup.js'
import { findPrompt, listPrompts, type NamedPrompt, type PromptQuery } from './names/list-prompts.js'
import { renamePrompt } from './names/rename-prompt.js'
import type { RenderOptions } from './template/compiled-template.js'
import { TestsApi } from './testing/tests-api.js'
import { VariablesApi } from './variables/variables-api.js'
import { addVersion, createPrompt } from './versions/add-version.js'
import { chooseEnds, type DiffEnds } from './versions/choose-ends.js'
import { chooseToPublish, chooseToRollBack } from './versions/choose-version.js'
import type { PromptInput, VersionInput } from './versions/prompt-input.js'
import { publishVersion } from './versions/publication.js'
import { publishedVersions } from './versions/publications.js'
import type { ReadyPrompt } from './versions/ready-prompt.js'
import { loadReady, renderMessagesWith, renderWith } from './versions/render-prompt.js'
import { resolvePromptId, resolveReference } from './versions/resolve-prompt.js'
import { loadReference, loadVersion, type PromptReference, type VersionChoice } from './versions/version-reference.js'

/** The dependencies of a `PromptsApi` besides the client. */
export interface PromptsParts extends Omit<PromptAccess, 'client' | 'lookup'> {
  readonly lookup?: PromptLookup | undefined
  /** Caches label resolutions; without it, labels are read each time. */
  readonly cache?: LabelCache | undefined
}

export interface LabelledRenderOptions extends RenderOptions {
  /** Render the version this label refers to. */
  readonly label?: string | undefined
  /** The user or object it is for, such as a user id: decides which version is used where traffic is split. */
  readonly key?: string | undefined
}

/** The properties of a prompt or version that can be changed; the content changes only through versions. */
export interface PromptPatch {
  readonly title?: string
  readonly description?: string | null
  readonly tags?: readonly string[] | null
}

/**
 * Versioned prompts in a store. Wherever an id of a prompt or version is accepted, so is the name of a prompt; unknown
 * ones throw `NOT_FOUND` and ids of other minions `PROMPT_TYPE_MISMATCH`. Every write is atomic and, on the client of a
 * transaction, part of it.
 */
export class PromptsApi {
  readonly variables: VariablesApi
  readonly tests: TestsApi
  readonly labels: LabelsApi
  readonly #client: MinionsAccess
  readonly #access: PromptAccess
  readonly #chain: PromptChain
  readonly #readTarget: ReadTarget

  /** Follows relations unless another lookup is given, such as the plugin's index. */
  constructor(client: MinionsAccess, parts: PromptsParts = {}) {
    const { lookup = new RelationLookup(client), cache, ...rest } = takeOptions('The parts of prompts', parts)
    this.#client = client
    this.#access = { ...rest, client, lookup }
    this.#readTarget = targetReader((name, label) => cache?.read(name, label) ?? readLabel(this.#access, name, label))
    this.#chain = new PromptChain(client, lookup)
    this.variables = new VariablesApi(this.#access)
    this.tests = new TestsApi(this.#access)
    this.labels = new LabelsApi(this.#access, this.#readTarget)
  }

  /** The same prompts on the client of a transaction. */
  on(client: MinionsAccess): PromptsApi {
    return new PromptsApi(client, { ...this.#access, lookup: this.#access.lookup.on(client) })
  }

  /**
   * Creates a prompt; the name is derived from its title unless given. Throws `TemplateError` when its content is
   * malformed, and `NAME_INVALID` or `NAME_TAKEN`.
   */
  async create(input: PromptInput, by: By = {}): Promise<PromptTemplateMinion> {
    return createPrompt(this.#access, input, by)
  }

  /** A prompt by its id or name; undefined when there is none, or it is deleted. */
  async find(idOrName: string): Promise<PromptTemplateMinion | undefined> {
    return findPrompt(this.#access, idOrName)
  }

  /** A page of prompts, oldest first. */
  async list(query: PromptQuery = {}): Promise<Page<NamedPrompt>> {
    return listPrompts(this.#access, query)
  }

  /** The name of a prompt, or of the prompt of a version; undefined if it was never given one. */
  async nameOf(promptOrVersionId: string): Promise<string | undefined> {
    const { lookup } = this.#access
    const rootId = await lookup.rootId(await loadPrompt(this.#access, promptOrVersionId))
    return (await lookup.names([rootId])).get(rootId)
  }

  /**
   * Gives a prompt another name. The old name still refers to it until another prompt takes it. Throws `NAME_INVALID`
   * or `NAME_TAKEN`.
   */
  async rename(prompt: string, name: string, by: By = {}): Promise<PromptTemplateMinion> {
    return renamePrompt(this.#access, prompt, name, by)
  }

  /** A prompt as stored, with its published content, or a version. By id, deleted ones are found too. */
  async get(prompt: PromptReference): Promise<PromptMinion> {
    return typeof prompt === 'string' ? loadPrompt(this.#access, prompt) : loadReference(this.#access, prompt)
  }

  /**
   * Resolves a reference: the id of a prompt or version, or the name or title of a prompt; with a version, its number
   * (`2`, `'v2'`) or id. Throws `NOT_FOUND` if it is unknown or the title of several prompts.
   */
  resolve(prompt: string): Promise<string>
  resolve(prompt: string, version: VersionChoice | undefined): Promise<PromptReference>
  async resolve(prompt: string, version?: VersionChoice): Promise<PromptReference> {
    return version === undefined
      ? resolvePromptId(this.#access, prompt)
      : resolveReference(this.#access, prompt, version)
  }

  /** Adds a version: given a prompt, after its latest version; given a version, after that one. */
  async addVersion(promptOrVersionId: string, input: VersionInput, by: By = {}): Promise<PromptVersionMinion> {
    return addVersion(this.#access, promptOrVersionId, input, by)
  }

  /**
   * Adds a version on behalf of an author, such as an agent. What the prompt renders does not change until it is
   * published.
   */
  async proposeVersion(
    promptOrVersionId: string,
    input: VersionInput,
    by: { readonly by: string },
  ): Promise<PromptVersionMinion> {
    if (!by?.by) throw coreError('VALIDATION_FAILED', 'A proposal needs an author: pass { by } with an id.')
    return addVersion(this.#access, promptOrVersionId, input, by)
  }

  /** Changes title, description or tags. */
  async update(promptOrVersionId: string, patch: PromptPatch, by: By = {}): Promise<PromptMinion> {
    const { id } = await loadLivePrompt(this.#access, promptOrVersionId)
    const { title, description, tags, ...rest } = patch
    const fields = { ...(description !== undefined && { description }), ...(tags !== undefined && { tags }) }
    return (await this.#client.update(id, { ...rest, title, fields }, by)) as PromptMinion
  }

  /**
   * Renders a prompt as published, or a version; `{ prompt, version: 0 }` is the original prompt. With a label, renders
   * the version it refers to; with a key, the version assigned to the key where the traffic of the label (default
   * `production`) is split. Declared defaults are applied; missing values and values that do not match their declared
   * type are refused.
   */
  async render(
    prompt: PromptReference,
    variables: Readonly<Record<string, unknown>> = {},
    { label, key, ...options }: LabelledRenderOptions = {},
  ): Promise<string> {
    return renderWith(await this.#chosen(prompt, label, key), variables, options)
  }

  /** Like `render`, but returns messages for a model; a text prompt becomes one user message. */
  async renderMessages(
    prompt: PromptReference,
    variables: Readonly<Record<string, unknown>> = {},
    { label, key, ...options }: LabelledRenderOptions = {},
  ): Promise<RenderedMessage[]> {
    return renderMessagesWith(await this.#chosen(prompt, label, key), variables, options)
  }

  /** A prompt or version with its fragments expanded, and the variables that apply to it. */
  async ready(prompt: PromptReference): Promise<ReadyPrompt> {
    return loadReady(this.#access, prompt)
  }

  /** The prompts and versions that include a prompt as a fragment, deleted ones left out. */
  async usedBy(prompt: string): Promise<FragmentUser[]> {
    return fragmentUsers(this.#access, prompt)
  }

  /** The original prompt, which is version 0, and all its versions, oldest first. */
  async history(promptOrVersionId: string): Promise<PromptMinion[]> {
    return this.#chain.getVersionChain(promptOrVersionId)
  }

  /** The latest version; the prompt itself when there is none. */
  async latest(promptOrVersionId: string): Promise<PromptMinion> {
    return this.#chain.getLatestVersion(promptOrVersionId)
  }

  /** The latest version at a given time; undefined before there was any. */
  async versionAt(promptOrVersionId: string, date: Date | number | string): Promise<PromptMinion | undefined> {
    return this.#chain.getVersionAtDate(promptOrVersionId, date)
  }

  /** The last version of each branch, oldest first. */
  async branches(promptOrVersionId: string): Promise<PromptMinion[]> {
    return this.#chain.getLeaves(promptOrVersionId)
  }

  /**
   * Makes a version the current state of its prompt and moves the label `production` to it: given a version, that one;
   * given a prompt, the version chosen by id or number, or its latest. Resolves to the prompt.
   */
  async publish(
    prompt: PromptReference,
    version?: VersionChoice | MoveOptions,
    options: MoveOptions = {},
  ): Promise<PromptTemplateMinion> {
    const [id, choice, how] = chosen(prompt, version, options)
    const { promptId, versionId } = await chooseToPublish(this.#access, id, choice)
    return publishVersion(this.#access, promptId, versionId, how)
  }

  /**
   * Publishes an older version: the one given or chosen, or else the nearest before the published one that is not
   * deleted. The original prompt can be restored too, as version 0. Nothing is deleted. Resolves to the prompt.
   */
  async rollback(
    prompt: PromptReference,
    version?: VersionChoice | MoveOptions,
    options: MoveOptions = {},
  ): Promise<PromptTemplateMinion> {
    const [id, choice, how] = chosen(prompt, version, options)
    const { promptId, versionId } = await chooseToRollBack(this.#access, id, choice)
    return publishVersion(this.#access, promptId, versionId, how)
  }

  /** The published version; the prompt itself when there is none. */
  async published(promptOrVersionId: string): Promise<PromptMinion> {
    const prompt = await this.#chain.getRoot(promptOrVersionId)
    return (isTemplate(prompt) && (await this.publishedVersions([prompt])).get(prompt.id)) || prompt
  }

  /** The published versions of several prompts, by prompt id, in a few queries. */
  async publishedVersions(prompts: readonly PromptTemplateMinion[]): Promise<Map<string, PromptMinion>> {
    return publishedVersions(this.#access, prompts)
  }

  /** What changed from one version to another; a prompt's id refers to version 0. */
  async diff(a: PromptReference, b: PromptReference): Promise<DiffResult> {
    return new PromptDiff().diff(await loadVersion(this.#access, a), await loadVersion(this.#access, b))
  }

  /**
   * The changes between two versions of a prompt, given in the form `resolve` accepts. Default: those of the latest
   * version.
   */
  async changes(prompt: string, ends: DiffEnds = {}): Promise<DiffResult> {
    return this.diff(...(await chooseEnds(this.#access, prompt, ends)))
  }

  /** Likely problems with a prompt or version, or with a draft of its next version; see `LINT_RULES`. */
  async lint(promptOrVersionId: string, options?: LintOptions): Promise<LintProblem[]> {
    return lintPrompt(this.#access, promptOrVersionId, options)
  }

  /**
   * Compares a candidate with a baseline on the tests of the prompt. Default: `latest` with `production`. Writes
   * nothing.
   */
  async gate(prompt: string, options: GateOptions = {}): Promise<GateReport> {
    return gatePrompt(this.#access, prompt, options)
  }

  /** Compares two prompts or versions on the same tests. Writes nothing; the same seed gives the same numbers. */
  async compare(a: PromptReference, b: PromptReference, options: CompareOptions): Promise<Comparison> {
    return comparePrompts(this.#access, a, b, options)
  }

  /**
   * Re-reads relations written without the client, by another program or directly to the store: those of some prompts
   * and versions, or all. Not needed for writes of the client itself.
   */
  async reindex(promptOrVersionIds?: readonly string[]): Promise<void> {
    await this.#access.lookup.refresh(promptOrVersionIds && takeList('The ids', promptOrVersionIds))
  }

  /** Binds an agent's `systemPrompt` to a prompt's published state, replacing a binding. Resolves to the agent. */
  async bindAgent(agentId: string, promptId: string, options: BindAgentOptions = {}): Promise<Minion> {
    return bindAgent(this.#access, agentId, promptId, options)
  }

  /** Removes a binding; the agent keeps its current text. False when it had none. */
  async unbindAgent(agentId: string, by: By = {}): Promise<boolean> {
    return unbindAgent(this.#client, agentId, by)
  }

  /**
   * The text an agent currently runs with: the published state of the prompt it is bound to, or its own `systemPrompt`.
   */
  async systemPrompt(agentId: string): Promise<string | undefined> {
    return systemPromptOf(this.#access, agentId)
  }

  async #chosen(prompt: PromptReference, label: string | undefined, key: string | undefined): Promise<ReadyPrompt> {
    if (label === undefined && key === undefined) return loadReady(this.#access, prompt)
    if (typeof prompt === 'string') return (await this.#readTarget(prompt, label ?? PRODUCTION, key)).ready
    throw coreError('VALIDATION_FAILED', 'Render a prompt by a version or by a label, not by both.')
  }
}

guardMethods(PromptsApi, { callsBack: ['compare'] })

/** The choice may be left out, or be part of the reference. */
function chosen(
  prompt: PromptReference,
  version: VersionChoice | MoveOptions | undefined,
  options: MoveOptions,
): [id: string, choice: VersionChoice | undefined, options: MoveOptions] {
  const [choice, how] = typeof version === 'object' ? [undefined, version] : [version, options]
  return typeof prompt === 'string' ? [prompt, choice, how] : [prompt.prompt, choice ?? prompt.version, how]
}
