import type { MinionsAccess } from '@minions/core'
import { coreError } from '../errors.js'
import { asFirstVersions } from '../versions/publications.js'
import { arrangeChain, type ChainContent } from './arrange-chain.js'
import { compareAge, compareTimes } from './compare-age.js'
import { findRootId } from './find-root.js'
import { findNewestVersion } from './newest-version.js'
import { isTemplate, loadPrompt, type PromptMinion } from './prompt-minion.js'
import { readChain } from './read-chain.js'

export interface ChainOptions {
  /** Soft-deleted versions too. */
  readonly includeDeleted?: boolean
  /** Prompts as they are stored, with what is published, in place of version 0. */
  readonly asStored?: boolean
}

/**
 * Reads version chains. Any id of a chain will do, the prompt's or a version's. All methods throw `NOT_FOUND` for an
 * unknown id, `PROMPT_TYPE_MISMATCH` for another type's, and `CYCLE` when versions follow each other in a circle.
 */
export class PromptChain {
  readonly #client: MinionsAccess

  constructor(client: MinionsAccess) {
    this.#client = client
  }

  /** The prompt and all its versions: parents before children, otherwise oldest first. */
  async getVersionChain(
    id: string,
    { includeDeleted = false, asStored = false }: ChainOptions = {},
  ): Promise<PromptMinion[]> {
    const { all, live } = arrangeChain(asStored ? await readChain(this.#client, id) : await this.#read(id))
    return [...(includeDeleted ? all : live)]
  }

  /** The newest of the versions that nothing follows; the prompt itself when it has no versions. */
  async getLatestVersion(id: string): Promise<PromptMinion> {
    const rootId = await findRootId(this.#client, await loadPrompt(this.#client, id))
    const newest = await findNewestVersion(this.#client, rootId)
    if (newest) return newest
    const latest = youngest(await this.getLeaves(id))
    if (latest) return latest
    throw coreError('DELETED', `All versions of "${id}" are deleted; restore one of them.`, { details: { id } })
  }

  /** What was the latest version at a time; undefined before there was any. Throws `VALIDATION_FAILED` for no date. */
  async getVersionAtDate(id: string, date: Date | number | string): Promise<PromptMinion | undefined> {
    const time = new Date(date)
    if (Number.isNaN(time.getTime())) throw coreError('VALIDATION_FAILED', `"${String(date)}" is not a date.`)
    const { minions, follows } = await this.#read(id)
    const until = new Map([...minions].filter(([, minion]) => compareTimes(minion.createdAt, time.toISOString()) <= 0))
    const between = follows.filter(({ sourceId, targetId }) => until.has(sourceId) && until.has(targetId))
    return youngest(arrangeChain({ minions: until, follows: between }).leaves)
  }

  /** The versions that nothing follows, one for each branch, oldest first. */
  async getLeaves(id: string): Promise<PromptMinion[]> {
    return [...arrangeChain(await this.#read(id)).leaves]
  }

  /** The prompt that a version belongs to, as it is stored; a version when its chain has no prompt. */
  async getRoot(id: string): Promise<PromptMinion> {
    const minion = await loadPrompt(this.#client, id)
    return isTemplate(minion) ? minion : loadPrompt(this.#client, await findRootId(this.#client, minion))
  }

  /** A chain whose prompts are as they were at first. */
  async #read(id: string): Promise<ChainContent> {
    const chain = await readChain(this.#client, id)
    const minions = new Map(chain.minions)
    const prompts = [...minions.values()].filter(isTemplate)
    for (const prompt of await asFirstVersions(this.#client, prompts)) minions.set(prompt.id, prompt)
    return { ...chain, minions }
  }
}

function youngest(minions: readonly PromptMinion[]): PromptMinion | undefined {
  return minions.toSorted(compareAge).at(-1)
}
