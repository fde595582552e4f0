import type { MinionsAccess } from '@minions/core'
import type { ChainContent } from '../chain/arrange-chain.js'
import type { PromptMinion, PromptVersionMinion } from '../chain/prompt-minion.js'
import type { LabelState } from '../labels/label-state.js'
import type { PublishedFields } from '../versions/publications.js'
import type { Inclusion, Part, PartKind } from './collections.js'

export interface NameHolder {
  readonly promptId: string
  /** True if the prompt had the name before it was renamed. */
  readonly former: boolean
}

/**
 * Finds what belongs to a prompt. Two implementations give the same results: `RelationLookup` follows relations, the
 * source of truth, and `IndexLookup` reads an index that the plugin maintains.
 */
export interface PromptLookup {
  /** The same on the client of a transaction. */
  on(client: MinionsAccess): PromptLookup
  /** The prompt that has a name, or else the one that had it; undefined if there is none. */
  named(name: string): Promise<NameHolder | undefined>
  /** The names of prompts, by id; nothing for a prompt without a name. */
  names(promptIds: readonly string[]): Promise<Map<string, string>>
  /** Id of the prompt that a version belongs to: the root of its chain. */
  rootId(minion: PromptMinion): Promise<string>
  /** The number of a version, counted if it has none. */
  numberOf(minion: PromptMinion): Promise<number>
  /** Everything connected to a prompt or version by `follows` relations. */
  chain(minion: PromptMinion): Promise<ChainContent>
  /**
   * The newest version that nothing follows, which is the prompt itself when it has no versions; undefined if all are
   * deleted.
   */
  latest(minion: PromptMinion): Promise<PromptMinion | undefined>
  /** The versions in a chain with a given number, without deleted ones. */
  numbered(root: PromptMinion, versionNumber: number): Promise<PromptVersionMinion[]>
  /** The version with an id in a chain; undefined when it is deleted or belongs elsewhere. */
  member(root: PromptMinion, id: string): Promise<PromptMinion | undefined>
  /** The parts of prompts or versions. */
  parts(kind: PartKind, ownerIds: readonly string[]): Promise<Part[]>
  /** The targets of a label on several prompts, by prompt id; nothing for a prompt where it was never set. */
  label(label: string, promptIds: readonly string[]): Promise<Map<string, LabelState>>
  /** The targets of all labels of a prompt, including removed ones. */
  labels(promptId: string): Promise<LabelState[]>
  /** True for a label that only a person other than the author of a version may move to it. */
  isProtected(label: string): Promise<boolean>
  /** The content of prompts before the first publication, by id; nothing for a prompt that was never published. */
  originals(promptIds: readonly string[]): Promise<Map<string, PublishedFields>>
  /**
   * The prompts and versions whose templates include one of these names; `named` tells whether it still refers to the
   * prompt.
   */
  including(names: readonly string[]): Promise<Inclusion[]>
  /** All current and former names of a prompt. */
  allNames(promptId: string): Promise<string[]>
  /** Re-reads what was written without the client: for these prompts and versions, or for all. */
  refresh(ids?: readonly string[]): Promise<void>
}
