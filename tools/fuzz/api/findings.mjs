// @ts-check
/** @import { Finding } from './cases.mjs' */

/** Values that are named for each problem. */
const MOST_VALUES = 3

/**
 * One line for each thing that goes wrong in a function: where, with which values, and how.
 *
 * @param {readonly Finding[]} findings
 * @returns {string[]}
 */
export function describeFindings(findings) {
  /** @type {Map<string, Finding[]>} */
  const groups = new Map()
  for (const finding of withoutCombined(findings)) {
    const key = groupOf(finding)
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups.values()].map((group) => {
    const [{ target, kind, error }] = /** @type {[Finding]} */ (/** @type {unknown} */ (group))
    const values = group.slice(0, MOST_VALUES).map(showParts)
    const more = group.length > MOST_VALUES ? ` and ${group.length - MOST_VALUES} more` : ''
    return `${target}: ${kind}, ${error} (${values.join('; ')}${more})`
  })
}

/** What findings of the same thing have in common. @param {Finding} finding */
export function groupOf({ target, kind, error }) {
  return JSON.stringify([target, kind, error.replace(/\d+ ms/, '')])
}

/** A combination is worth a line only if none of its parts fails alone. @param {readonly Finding[]} findings */
function withoutCombined(findings) {
  const alone = new Set(
    findings.filter(({ parts }) => parts.length === 1).map(({ target, parts: [part] }) => keyOf(target, part)),
  )
  return findings.filter(
    ({ target, parts }) => parts.length < 2 || !parts.some((part) => alone.has(keyOf(target, part))),
  )
}

/** @param {string} target @param {Finding['parts'][number] | undefined} part */
const keyOf = (target, part) => JSON.stringify([target, part])

/** @param {Finding} finding */
function showParts({ parts }) {
  if (parts.length === 0) return 'its valid arguments'
  return parts.map(({ position, value }) => `${position}: ${value}`).join(' with ')
}
