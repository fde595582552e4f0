// @ts-check
/** @import { Summary } from './summary.mjs' */

/** Most lines of a kind on the screen; the report has them all. */
const most = { reasons: 10, failures: 25 }

/**
 * How a run ends on the screen: at most 40 lines, the totals last.
 *
 * @param {Summary} summary
 * @param {string} report the file with every name
 * @param {number} [columns] of the screen, where longer lines would take the place of others
 * @returns {string[]}
 */
export function lastScreen({ passed, failed, skipped, failures, skips }, report, columns = Number.POSITIVE_INFINITY) {
  /** @type {Map<string, number>} */
  const reasons = new Map()
  for (const { reason } of skips) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  const mostFirst = [...reasons].sort(([, a], [, b]) => b - a).map(([reason, count]) => `skipped: ${count} ${reason}`)
  return [
    ...cut(mostFirst, most.reasons, 'reasons'),
    ...cut(
      failures.map((line) => `failed: ${line}`),
      most.failures,
      'failures',
    ),
    ...(failed + skipped > 0 ? [`every name: ${report}`] : []),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ].map((line) => (line.length <= columns ? line : `${line.slice(0, columns - 1)}…`))
}

/**
 * Each failure and each skip of a run by its name.
 *
 * @param {Summary} summary
 */
export function runReport({ failures, skips }) {
  const lines = [
    ...failures.map((line) => `failed: ${line}`),
    ...skips.map(({ test, reason }) => `skipped, ${reason}: ${test}`),
  ]
  return `${lines.join('\n')}\n`
}

/**
 * The first of these lines, each on one line of the screen.
 *
 * @param {string[]} lines
 * @param {number} count
 * @param {string} what
 */
function cut(lines, count, what) {
  const short = lines.slice(0, count).map((line) => line.replace(/\n[\s\S]*/, ''))
  return lines.length <= count ? short : [...short.slice(0, -1), `and ${lines.length - count + 1} more ${what}`]
}
