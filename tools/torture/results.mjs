// @ts-check
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, root } from '../packages.mjs'

/**
 * @typedef {{ least: number, median: number, most: number }} Spread
 * @typedef {{ kills: number, acknowledged: number, beforeKill: Spread }} Outcome `beforeKill`: acknowledged writes of a process
 * @typedef {{ median: number, p99: number }} Percentiles
 * @typedef {{ kills: number, changes: number } & Percentiles} FeedOutcome milliseconds from a commit to a reader
 * @typedef {{ scenario: string, seed: number, kills: number, lost: boolean } & Partial<Outcome & FeedOutcome>} Row
 */

const resultsFile = join(root, 'tools/torture/results.json')

/**
 * @param {readonly number[]} values at least one
 * @returns {Spread}
 */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const [least = 0, median = 0, most = 0] = [0, 0.5, 1].map((part) => sorted[Math.floor(part * (sorted.length - 1))])
  return { least, median, most }
}

/**
 * @param {readonly number[]} values at least one
 * @returns {Percentiles}
 */
export function percentiles(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (/** @type {number} */ share) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { median: at(0.5), p99: at(0.99) }
}

/** @returns {Row[]} what was tried last, of every scenario */
export const readResults = () => (existsSync(resultsFile) ? readJson(resultsFile) : [])

/**
 * Stores the rows of the scenarios that ran and keeps those of the others.
 *
 * @param {Row[]} rows
 */
export function storeResults(rows) {
  const kept = readResults().filter(({ scenario }) => !rows.some((row) => row.scenario === scenario))
  const all = [...kept, ...rows].sort((a, b) => (a.scenario < b.scenario ? -1 : 1))
  writeFileSync(resultsFile, `${JSON.stringify(all, null, 2)}\n`)
}

/** Most milliseconds from a commit in one process to a reader in another, of 99 in a hundred changes. */
const LONGEST_DELAY = 250

/**
 * What was done to stores, as a Markdown table.
 *
 * @param {Row[]} rows
 */
export function storeTable(rows) {
  const head = [
    'what was done to a store',
    'processes killed',
    'acknowledged writes',
    'of one process before its kill: least, median, most',
    'lost',
    'seed',
  ]
  const stores = rows.filter(({ changes }) => changes === undefined)
  const cells = stores.map(({ scenario, seed, kills, acknowledged, beforeKill, lost }) => [
    scenario,
    kills.toLocaleString('en'),
    acknowledged?.toLocaleString('en') ?? 'not counted',
    beforeKill ? `${beforeKill.least}, ${beforeKill.median}, ${beforeKill.most}` : 'not counted',
    lost ? 'SOME' : 'none',
    String(seed),
  ])
  return markdown(head, cells)
}

/**
 * What followers of change feeds heard, as a Markdown table.
 *
 * @param {Row[]} rows
 */
export function feedTable(rows) {
  const head = ['who followed what', 'changes', 'killed', 'missing or twice', 'median', 'p99', 'bar', 'met', 'seed']
  const feeds = rows.filter(({ changes }) => changes !== undefined)
  const cells = feeds.map(({ scenario, seed, kills, changes = 0, median = 0, p99 = 0, lost }) => [
    scenario,
    changes.toLocaleString('en'),
    String(kills),
    lost ? 'SOME' : 'none',
    `${median.toFixed(1)} ms`,
    `${p99.toFixed(1)} ms`,
    `≤ ${LONGEST_DELAY} ms`,
    p99 <= LONGEST_DELAY ? 'yes' : 'MISSED',
    String(seed),
  ])
  return markdown(head, cells)
}

/** @param {string[]} head @param {string[][]} cells */
const markdown = (head, cells) =>
  [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n')

/**
 * What the stores survived, in one sentence.
 *
 * @param {Row[]} rows
 */
export function survivalLine(rows) {
  const stores = rows.filter(({ changes }) => changes === undefined)
  const sum = (/** @type {(row: Row) => number} */ of) =>
    stores.reduce((total, row) => total + of(row), 0).toLocaleString('en')
  const lost = stores.filter((row) => row.lost)
  const outcome =
    lost.length === 0 ? 'none was lost' : `some were lost: ${lost.map(({ scenario }) => scenario).join('; ')}`
  return `**It survives:** ${sum(({ kills }) => kills)} processes were killed while they wrote, on full disks, jumping clocks and cut connections; of ${sum(({ acknowledged = 0 }) => acknowledged)} acknowledged writes, ${outcome} ([how](docs/measurements.md#what-it-survives)).`
}
