export interface AddedField {
  readonly field: string
  readonly value: unknown
}

export interface RemovedField {
  readonly field: string
  readonly value: unknown
}

export interface ChangedField {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** One line of `content`: in both versions (`context`), only in the second (`add`) or only in the first (`remove`). */
export interface DiffLine {
  readonly type: 'add' | 'remove' | 'context'
  readonly text: string
}

/** What differs between two versions of a prompt. Equal versions give four empty lists. */
export interface DiffResult {
  /** Fields only the second version has. */
  readonly added: readonly AddedField[]
  /** Fields only the first version has. */
  readonly removed: readonly RemovedField[]
  /** Fields of both whose values differ, `content` and `title` included. */
  readonly changed: readonly ChangedField[]
  /** Every line of both contents in order, removals before additions; empty when the contents are equal. */
  readonly contentDiff: readonly DiffLine[]
}
