import { coreError, type MinionsAccess } from '@minions/core'
import { guardMethods } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import type { PromptLookup } from '../lookup/prompt-lookup.js'
import { RelationLookup } from '../lookup/relation-lookup.js'
import { asFirstVersions } from '../versions/publications.js'
import { arrangeChain, type ChainContent } from './arrange-chain.js'
import { compareAge, compareTimes } from './compare-age.js'
import { isTemplate, loadPrompt, type PromptMinion } from './prompt-minion.js'

export interface ChainOptions {
  /** Include soft-deleted versions. */
  readonly includeDeleted?: boolean
  /** Return prompts as stored, with the published content, instead of version 0. */
  readonly asStored?: boolean
}

/**
 * Reads version chains. Accepts any id of a chain, the prompt's or a version's. All methods throw `NOT_FOUND` for an
 * unknown id, `PROMPT_TYPE_MISMATCH` for a minion of another type, and `CYCLE` when versions follow each other in a
 * cycle.
 */
export class PromptChain {
  readonly #access: PromptAccess

  /** Follows relations unless another lookup is given. */
  constructor(client: MinionsAccess, lookup: PromptLookup = new RelationLookup(client)) {
    this.#access = { client, lookup }
  }

  /** The prompt and all its versions: parents before children, otherwise oldest first. */
  async getVersionChain(
    id: string,
    { includeDeleted = false, asStored = false }: ChainOptions = {},
  ): Promise<PromptMinion[]> {
    const { all, live } = arrangeChain(asStored ? await this.#stored(id) : await this.#read(id))
    return [...(includeDeleted ? all : live)]
  }

  /** The newest version that nothing follows; the prompt itself when it has no versions. */
  async getLatestVersion(id: string): Promise<PromptMinion> {
    const latest = await this.#access.lookup.latest(await loadPrompt(this.#access, id))
    if (latest && !isTemplate(latest)) return latest
    const [first] = latest ? await asFirstVersions(this.#access, [latest]) : []
    if (first) return first
    throw coreError('DELETED', `All versions of "${id}" are deleted; restore one of them.`, { details: { id } })
  }

  /**
   * The latest version at a given time; undefined before there was any. Throws `VALIDATION_FAILED` for an invalid date.
   */
  async getVersionAtDate(id: string, date: Date | number | string): Promise<PromptMinion | undefined> {
    const time = new Date(date)
    if (Number.isNaN(time.getTime())) throw coreError('VALIDATION_FAILED', `"${String(date)}" is not a date.`)
    const { minions, follows } = await this.#read(id)
    const until = new Map([...minions].filter(([, minion]) => compareTimes(minion.createdAt, time.toISOString()) <= 0))
    const between = follows.filter(({ sourceId, targetId }) => until.has(sourceId) && until.has(targetId))
    return arrangeChain({ minions: until, follows: between }).leaves.toSorted(compareAge).at(-1)
  }

  /** The versions that nothing follows, one for each branch, oldest first. */
  async getLeaves(id: string): Promise<PromptMinion[]> {
    return [...arrangeChain(await this.#read(id)).leaves]
  }

  /** The prompt that a version belongs to, as stored; a version when its chain has no prompt. */
  async getRoot(id: string): Promise<PromptMinion> {
    const minion = await loadPrompt(this.#access, id)
    const rootId = await this.#access.lookup.rootId(minion)
    return rootId === minion.id ? minion : loadPrompt(this.#access, rootId)
  }

  async #stored(id: string): Promise<ChainContent> {
    return this.#access.lookup.chain(await loadPrompt(this.#access, id))
  }

  /** A chain with prompts in their original state. */
  async #read(id: string): Promise<ChainContent> {
    const chain = await this.#stored(id)
    const minions = new Map(chain.minions)
    const prompts = [...minions.values()].filter(isTemplate)
    for (const prompt of await asFirstVersions(this.#access, prompts)) minions.set(prompt.id, prompt)
    return { ...chain, minions }
  }
}

guardMethods(PromptChain)
