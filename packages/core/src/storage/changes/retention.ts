import { coreError } from '../../errors/codes.js'
import { guardMethods } from '../../errors/guard.js'
import { quote } from '../../errors/quote.js'
import { takeOptions } from '../../errors/take.js'
import type { ChangeRow } from './rows.js'

const LONGEST_OWNER = 1000
const DAY = 24 * 60 * 60 * 1000

/** Retention of a store's change feed. An older cursor is refused with `CHANGES_EXPIRED`. */
export interface ChangeRetention {
  /** Minimum retention of a change in milliseconds; `Infinity` for ever. Default: 7 days. */
  readonly keepFor?: number
  /** Maximum number of changes of any age; those written together are removed together. Default: a million. */
  readonly keepAtMost?: number
}

/** Number of rows examined per removal of old changes, so that no single commit has to process all of them. */
export const MOST_REMOVED_AT_ONCE = 2000

/** Decides what a feed may remove, and how often to check: removal must stay a small part of writing. */
export class Retention {
  readonly keepFor: number
  readonly keepAtMost: number
  #written = 0
  #checkedAt = 0

  /** Throws `VALIDATION_FAILED` for options that cannot be used; `owner` begins the message. */
  constructor(owner: string, given: ChangeRetention | undefined, mostKept = 1_000_000) {
    if (typeof owner !== 'string' || owner.length > LONGEST_OWNER)
      throw mustBe('The owner of changes', 'a short string', owner)
    const { keepFor = 7 * DAY, keepAtMost = mostKept } = takeOptions(`The option \`changes\` of ${owner}`, given)
    if (typeof keepFor !== 'number' || !(keepFor >= 0)) {
      throw mustBe(`\`changes.keepFor\` of ${owner}`, 'a non-negative number of milliseconds', keepFor)
    }
    if (keepAtMost !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(keepAtMost) && keepAtMost >= 1)) {
      throw mustBe(`\`changes.keepAtMost\` of ${owner}`, 'a positive integer, or Infinity', keepAtMost)
    }
    this.keepFor = keepFor
    this.keepAtMost = keepAtMost
  }

  /** True if it is time to look for removable changes, given the number just written. True once per interval. */
  isDue(written: number, now: number): boolean {
    this.#written += written
    const everyMillis = Math.min(60_000, this.keepFor / 10)
    const everyChanges = Math.min(1000, this.keepAtMost / 10)
    if (this.#written < everyChanges && now - this.#checkedAt < everyMillis) return false
    this.#written = 0
    this.#checkedAt = now
    return true
  }

  /** More changes remain to be removed, so the next write continues. */
  again(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY
  }

  /** Number of the oldest rows that can be removed. The newest row stays, because the numbering continues from it. */
  removable(oldest: readonly Pick<ChangeRow, 'number' | 'at'>[], newest: number, now: number): number {
    const keep = ({ number, at }: Pick<ChangeRow, 'number' | 'at'>) =>
      number >= newest || (number > newest - this.keepAtMost && at >= now - this.keepFor)
    const first = oldest.findIndex(keep)
    return first < 0 ? oldest.length : first
  }
}

guardMethods(Retention)

function mustBe(what: string, rule: string, value: unknown): Error {
  return coreError('VALIDATION_FAILED', `${what} must be ${rule}, not ${quote(value)}.`)
}
