import { type By, now } from '@minions/core'
import { guardMethods } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import { clientReader } from '../chain/chain-reader.js'
import type { PromptMinion } from '../chain/prompt-minion.js'
import type { PromptResultMinion } from '../testing/prompt-test.js'
import type { VersionChoice } from '../versions/version-reference.js'
import { movesOf } from './label-moves.js'
import { assertLabel, PRODUCTION } from './label-name.js'
import type { ReadTarget } from './label-reader.js'
import type { LabelState } from './label-state.js'
import type { MoveOptions } from './move-label.js'
import { compareSplit, type LabelOutcome, recordOutcome, type SplitComparison } from './outcomes.js'
import { type ProtectedLabel, protectedLabelsCollection } from './protected-labels.js'
import { loadTemplate } from './resolve-label.js'
import { removeLabel, setLabel, unpublished } from './set-label.js'
import { type SplitOptions, type SplitShare, splitLabel, stopSplit } from './split-traffic.js'

/**
 * Labels of prompts: movable names for versions, such as `production` and `staging`. `latest` always refers to the
 * latest version.
 */
export class LabelsApi {
  readonly #access: PromptAccess
  readonly #readTarget: ReadTarget

  constructor(access: PromptAccess, readTarget: ReadTarget) {
    this.#access = access
    this.#readTarget = readTarget
  }

  /**
   * Points a label to a version, chosen by id or number. Default: the latest. Moving `production` publishes the
   * version. Throws `LABEL_INVALID`, `LABEL_PROTECTED`, and `CONFLICT` with `ifMove`.
   */
  async set(prompt: string, label: string, version?: VersionChoice, options: MoveOptions = {}): Promise<LabelState> {
    return setLabel(this.#access, prompt, label, version, options)
  }

  /** Removes a label; its history stays. */
  async remove(prompt: string, label: string, options: MoveOptions = {}): Promise<LabelState> {
    return removeLabel(this.#access, prompt, label, options)
  }

  /** The target of a label; undefined if it was never set. */
  async get(prompt: string, label: string): Promise<LabelState | undefined> {
    const minion = await loadTemplate(this.#access, prompt)
    const state = (await this.#access.lookup.label(label, [minion.id])).get(minion.id)
    return state ?? (label === PRODUCTION ? unpublished(minion) : undefined)
  }

  /** All labels of a prompt that have a target, by name. */
  async list(prompt: string): Promise<LabelState[]> {
    const minion = await loadTemplate(this.#access, prompt)
    const labels = (await this.#access.lookup.labels(minion.id)).filter(({ targets }) => targets.length > 0)
    return labels.some(({ label }) => label === PRODUCTION) ? labels : [unpublished(minion), ...labels]
  }

  /** Every move of a label, or of all labels, oldest first. */
  async history(prompt: string, label?: string): Promise<LabelState[]> {
    const { client } = this.#access
    const { id } = await loadTemplate(this.#access, prompt)
    const moves = (await movesOf(clientReader(client), [id])).get(id) ?? []
    return label === undefined ? moves : moves.filter((move) => move.label === label)
  }

  /**
   * The version that a label refers to; where its traffic is split, the one assigned to a key, or without a key the
   * control. Served from memory as long as nothing has changed. Throws `LABEL_UNKNOWN`.
   */
  async resolve(prompt: string, label: string, key?: string): Promise<PromptMinion> {
    return (await this.#readTarget(prompt, label, key)).version
  }

  /**
   * Splits the traffic of a label between several versions, by the SHA-256 of a salt and the key of each request. The
   * first is the control. A key keeps its version while the weights are unchanged; when the share of a version grows,
   * keys move only to that version. Throws `SPLIT_INVALID`.
   */
  async split(
    prompt: string,
    label: string,
    shares: readonly SplitShare[],
    options: SplitOptions = {},
  ): Promise<LabelState> {
    return splitLabel(this.#access, prompt, label, shares, options)
  }

  /** Ends a split immediately: all traffic goes to its control, or to the given version. */
  async stopSplit(
    prompt: string,
    label: string,
    version?: VersionChoice,
    options: MoveOptions = {},
  ): Promise<LabelState> {
    return stopSplit(this.#access, prompt, label, version, options)
  }

  /** Records the outcome of a request, for the version assigned to its key. */
  async record(
    prompt: string,
    label: string,
    key: string,
    outcome: LabelOutcome,
    by: By = {},
  ): Promise<PromptResultMinion> {
    return recordOutcome(this.#access, this.#readTarget, [prompt, label, key], outcome, by)
  }

  /** Compares the recorded outcomes of the versions in a split with the control. */
  async compare(prompt: string, label: string): Promise<SplitComparison> {
    return compareSplit(this.#access, prompt, label)
  }

  /**
   * Protects a label on all prompts: only a person other than the author of a version may move it to that version.
   * Moving it back to an earlier target requires a named person, who may be the author.
   */
  async protect(label: string, { by }: By = {}): Promise<ProtectedLabel> {
    assertLabel(label)
    const rule = { label, at: now(), ...(by !== undefined && { by }) }
    await this.#access.client.storage.put(protectedLabelsCollection, rule)
    return rule
  }

  /** Removes the protection of a label. False if it was not protected. */
  async unprotect(label: string): Promise<boolean> {
    return this.#access.client.storage.delete(protectedLabelsCollection, String(label))
  }

  /** The protected labels. */
  async protected(): Promise<ProtectedLabel[]> {
    const rules: ProtectedLabel[] = []
    const { storage } = this.#access.client
    for await (const { record } of storage.iterate(protectedLabelsCollection)) rules.push(record)
    return rules
  }
}

guardMethods(LabelsApi, { checksInside: ['record'] })
