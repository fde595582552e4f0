import { invalidPosition } from './errors.js'

/** A position in a numbered feed: after the change with this number and revision. */
export interface ChangePosition {
  readonly number: number
  /** Absent at the beginning of the feed, where no change has this number. */
  readonly revision?: string
}

/** Revisions are unique, so finding one under its number proves that the feed is still the same. */
export function formatPosition({ number, revision }: ChangePosition): string {
  return revision === undefined ? String(number) : `${number}.${revision}`
}

/** Parses the output of `formatPosition`. Throws `INVALID_CURSOR`. */
export function parsePosition(text: string): ChangePosition {
  const [, digits, revision] = /^(\d{1,15})(?:\.([!-~]{1,200}))?$/.exec(text) ?? []
  if (digits === undefined) throw invalidPosition(text)
  const number = Number(digits)
  return revision === undefined ? { number } : { number, revision }
}
