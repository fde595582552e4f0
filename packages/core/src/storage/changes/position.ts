import { invalidPosition } from './errors.js'

/** A position in a feed whose changes are numbered: behind the change of this number, which has this revision. */
export interface ChangePosition {
  readonly number: number
  /** Absent where the feed begins: there is no change of this number. */
  readonly revision?: string
}

/** A revision is never used twice, so one that is found under its number proves that the feed is still the same. */
export function formatPosition({ number, revision }: ChangePosition): string {
  return revision === undefined ? String(number) : `${number}.${revision}`
}

/** Reads what `formatPosition` wrote. Throws `INVALID_CURSOR`. */
export function parsePosition(text: string): ChangePosition {
  const [, digits, revision] = /^(\d{1,15})(?:\.([!-~]{1,200}))?$/.exec(text) ?? []
  if (digits === undefined) throw invalidPosition(text)
  const number = Number(digits)
  return revision === undefined ? { number } : { number, revision }
}
