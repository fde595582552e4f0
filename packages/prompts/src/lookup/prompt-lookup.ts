import type { MinionsAccess } from '@minions/core'
import type { ChainContent } from '../chain/arrange-chain.js'
import type { PromptMinion, PromptVersionMinion } from '../chain/prompt-minion.js'
import type { LabelState } from '../labels/label-state.js'
import type { PublishedFields } from '../versions/publications.js'

/** What belongs to a prompt by `part_of`. */
export type PartKind = 'variable' | 'test'

/** A variable or test, and the prompt or version it belongs to. */
export interface Part {
  readonly id: string
  readonly ownerId: string
}

/** A prompt or version, and a name that its template includes. */
export interface Inclusion {
  readonly ownerId: string
  readonly name: string
}

/** The prompt that a name leads to. */
export interface NameHolder {
  readonly promptId: string
  /** The prompt had the name before it was renamed. */
  readonly former: boolean
}

/**
 * Finds what belongs to a prompt. There are two ways to the same answers: `RelationLookup` follows relations, which are the
 * truth, and `IndexLookup` reads an index that the plugin keeps of them.
 */
export interface PromptLookup {
  /** The same on the client of a transaction. */
  on(client: MinionsAccess): PromptLookup
  /** The prompt that has a name, or else the one that had it; undefined if none did. */
  named(name: string): Promise<NameHolder | undefined>
  /** The names that prompts have, by their id; nothing for one without a name. */
  names(promptIds: readonly string[]): Promise<Map<string, string>>
  /** Id of the prompt that a version belongs to: where its chain begins. */
  rootId(minion: PromptMinion): Promise<string>
  /** The number of a version, by counting where it has none. */
  numberOf(minion: PromptMinion): Promise<number>
  /** Everything that `follows` relations connect with a prompt or version. */
  chain(minion: PromptMinion): Promise<ChainContent>
  /** The newest that nothing follows, which is the prompt itself when it has no versions; undefined if all are deleted. */
  latest(minion: PromptMinion): Promise<PromptMinion | undefined>
  /** The versions in a chain that have a number, deleted ones left out. */
  numbered(root: PromptMinion, versionNumber: number): Promise<PromptVersionMinion[]>
  /** The version of a chain that has an id; undefined when it is deleted or belongs elsewhere. */
  member(root: PromptMinion, id: string): Promise<PromptMinion | undefined>
  /** What belongs to prompts or versions. */
  parts(kind: PartKind, ownerIds: readonly string[]): Promise<Part[]>
  /** Where a label of prompts points to, by the id of the prompt; nothing for a prompt where it was never set. */
  label(label: string, promptIds: readonly string[]): Promise<Map<string, LabelState>>
  /** Where all labels of a prompt point to, removed ones too. */
  labels(promptId: string): Promise<LabelState[]>
  /** True for a label that only a person other than the author of a version may move to it. */
  isProtected(label: string): Promise<boolean>
  /** What prompts had before anything was published, by their id; nothing for a prompt of which nothing was. */
  originals(promptIds: readonly string[]): Promise<Map<string, PublishedFields>>
  /** The prompts and versions whose templates include one of these names; `named` tells whether it still leads there. */
  including(names: readonly string[]): Promise<Inclusion[]>
  /** All names that lead to a prompt, or did. */
  allNames(promptId: string): Promise<string[]>
  /** Reads anew what was written past the client: of these prompts and versions, or of all. */
  refresh(ids?: readonly string[]): Promise<void>
}
