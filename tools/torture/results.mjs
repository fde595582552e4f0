// @ts-check
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, root } from '../packages.mjs'

/**
 * @typedef {{ scenario: string, seed: number, kills: number, acknowledged: number, lost: boolean }} Row
 */

const resultsFile = join(root, 'tools/torture/results.json')

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
  const head = ['what was done to a store', 'processes killed', 'acknowledged writes', 'lost', 'seed']
  const cells = rows.map(({ scenario, seed, kills, acknowledged, lost }) => [
    scenario,
    kills.toLocaleString('en'),
    acknowledged.toLocaleString('en'),
    lost ? 'SOME' : 'none',
    String(seed),
  ])
  return [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n')
}
