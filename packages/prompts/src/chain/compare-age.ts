import { compareCodePoints } from '@minions/core/json'
import { isTemplate, type PromptMinion } from './prompt-minion.js'

/** Older first: by `createdAt`, then by version number, then by id, so that the order is total. */
export function compareAge(a: PromptMinion, b: PromptMinion): number {
  return compareTimes(a.createdAt, b.createdAt) || numberOf(a) - numberOf(b) || compareCodePoints(a.id, b.id)
}

/** The number of a version, 0 for a template and for a version created without one. */
export function numberOf(minion: PromptMinion): number {
  return isTemplate(minion) ? 0 : (minion.fields.versionNumber ?? 0)
}

/** Compares instants, regardless of notation. */
export function compareTimes(a: string, b: string): number {
  return a === b ? 0 : compareCodePoints(sortableTime(a), sortableTime(b))
}

const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const FRACTION = /\.(\d+)/

/** A timestamp in UTC that sorts as a string like its instant, including digits below a millisecond. */
export function sortableTime(timestamp: string): string {
  if (CANONICAL.test(timestamp)) return timestamp
  const time = Date.parse(timestamp)
  if (Number.isNaN(time)) return timestamp
  const below = FRACTION.exec(timestamp)?.[1]?.slice(3).replace(/0+$/, '') ?? ''
  // `~` sorts behind the Z that ends a timestamp without such digits.
  return below === '' ? new Date(time).toISOString() : `${new Date(time).toISOString().slice(0, -1)}~${below}`
}
