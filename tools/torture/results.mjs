// @ts-check
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, root } from '../packages.mjs'

/**
 * @typedef {{ least: number, median: number, most: number }} Spread
 * @typedef {{ kills: number, acknowledged: number, beforeKill: Spread }} Outcome `beforeKill`: acknowledged writes of a process
 * @typedef {Partial<Outcome> & { scenario: string, seed: number, kills: number, lost: boolean }} Row
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

/**
 * Rows as a Markdown table.
 *
 * @param {Row[]} rows
 */
export function tortureTable(rows) {
  const head = [
    'what was done to a store',
    'processes killed',
    'acknowledged writes',
    'of one process before its kill: least, median, most',
    'lost',
    'seed',
  ]
  const cells = rows.map(({ scenario, seed, kills, acknowledged, beforeKill, lost }) => [
    scenario,
    kills.toLocaleString('en'),
    acknowledged?.toLocaleString('en') ?? 'not counted',
    beforeKill ? `${beforeKill.least}, ${beforeKill.median}, ${beforeKill.most}` : 'not counted',
    lost ? 'SOME' : 'none',
    String(seed),
  ])
  return [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n')
}
