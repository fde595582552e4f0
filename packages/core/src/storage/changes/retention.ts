import { coreError } from '../../errors/codes.js'
import { guardMethods } from '../../errors/guard.js'
import { quote } from '../../errors/quote.js'
import { takeOptions } from '../../errors/take.js'
import type { ChangeRow } from './rows.js'

const LONGEST_OWNER = 1000
const DAY = 24 * 60 * 60 * 1000

/** How much of its change feed a store keeps. A cursor that is older than that is refused with `CHANGES_EXPIRED`. */
export interface ChangeRetention {
  /** Milliseconds for which a change is kept at least; 7 days unless given, `Infinity` for ever. */
  readonly keepFor?: number
  /** Most changes that are kept, whatever their age; a million unless given. Changes written together go together. */
  readonly keepAtMost?: number
}

/** Rows that are looked at in one go when old changes are removed, so that no single commit waits for all of them. */
export const MOST_REMOVED_AT_ONCE = 2000

function requireOwner(owner: string): void {
  if (typeof owner === 'string' && owner.length <= LONGEST_OWNER) return
  throw coreError('VALIDATION_FAILED', `The owner of changes must be a short text, not ${quote(owner)}.`)
}

/** Decides what a feed may remove, and how often to look: removing is part of writing and must stay a small part of it. */
export class Retention {
  readonly keepFor: number
  readonly keepAtMost: number
  #written = 0
  #lookedAt = 0

  /** Throws `VALIDATION_FAILED` for options that cannot be used; `owner` begins the message. */
  constructor(owner: string, given: ChangeRetention | undefined, mostKept = 1_000_000) {
    requireOwner(owner)
    const { keepFor = 7 * DAY, keepAtMost = mostKept } = takeOptions(`The option \`changes\` of ${owner}`, given)
    if (typeof keepFor !== 'number' || !(keepFor >= 0)) {
      throw coreError(
        'VALIDATION_FAILED',
        `\`changes.keepFor\` of ${owner} must be a number of milliseconds from 0, not ${quote(keepFor)}.`,
      )
    }
    if (keepAtMost !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(keepAtMost) && keepAtMost >= 1)) {
      throw coreError(
        'VALIDATION_FAILED',
        `\`changes.keepAtMost\` of ${owner} must be a whole number from 1, or Infinity, not ${quote(keepAtMost)}.`,
      )
    }
    this.keepFor = keepFor
    this.keepAtMost = keepAtMost
  }

  /** Whether to look for what can go, now that so many more changes were written. Says yes once. */
  isDue(written: number, now: number): boolean {
    this.#written += written
    const everyMillis = Math.min(60_000, this.keepFor / 10)
    const everyChanges = Math.min(1000, this.keepAtMost / 10)
    if (this.#written < everyChanges && now - this.#lookedAt < everyMillis) return false
    this.#written = 0
    this.#lookedAt = now
    return true
  }

  /** There was more to remove than in one go, so the next write goes on with it. */
  again(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY
  }

  /**
   * How many of the oldest rows can go, given all or the first of them. The newest row of a feed always stays, since the
   * numbers go on from it.
   */
  removable(oldest: readonly Pick<ChangeRow, 'number' | 'at'>[], newest: number, now: number): number {
    const keep = ({ number, at }: Pick<ChangeRow, 'number' | 'at'>) =>
      number >= newest || (number > newest - this.keepAtMost && at >= now - this.keepFor)
    const first = oldest.findIndex(keep)
    return first < 0 ? oldest.length : first
  }
}

guardMethods(Retention)
