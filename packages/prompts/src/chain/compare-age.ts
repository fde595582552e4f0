import { compareCodePoints } from '@minions/core'
import { isTemplate, type PromptMinion } from './prompt-minion.js'

/** Older first: by `createdAt`, then by version number, then by id, so that the order is total. */
export function compareAge(a: PromptMinion, b: PromptMinion): number {
  return compareTimes(a.createdAt, b.createdAt) || numberOf(a) - numberOf(b) || compareCodePoints(a.id, b.id)
}

/** The number a version has, 0 for a template and for a version that was made without one. */
export function numberOf(minion: PromptMinion): number {
  return isTemplate(minion) ? 0 : (minion.fields.versionNumber ?? 0)
}

/** Text is compared where both are written alike, which keeps digits below a millisecond; the instant otherwise. */
export function compareTimes(a: string, b: string): number {
  if (a === b) return 0
  if (a.length === b.length && a.endsWith('Z') && b.endsWith('Z')) return a < b ? -1 : 1
  return Date.parse(a) - Date.parse(b)
}
