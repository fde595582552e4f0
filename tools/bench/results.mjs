// @ts-check
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, root } from '../packages.mjs'

/**
 * @typedef {{ value: number, unit: string, spread?: number, name?: string }} Figure
 *   `spread` is the distance between the quartiles relative to the median; `name` says whose figure it is.
 * @typedef {{ limit: 'at least' | 'at most', value: number, unit: string, from?: string }} Bar
 *   `from` says where the bar comes from: a peer, or a limit.
 * @typedef {{
 *   area: string, name: string, ours?: Figure, peer?: Figure, ratio?: number, bar?: Bar, met?: boolean, note?: string
 * }} Row
 *   Without `ours` the row was left out, and `note` says why.
 * @typedef {{ machine: string, rows: Row[] }} Results
 */

const resultsFile = join(root, 'tools/bench/results.json')

/** @returns {Results} the rows measured last, of every area */
export const readResults = () => (existsSync(resultsFile) ? readJson(resultsFile) : { machine: '', rows: [] })

/**
 * Stores the rows of the areas that ran and keeps those of the others.
 *
 * @param {string[]} areas that ran
 * @param {Row[]} rows
 * @param {string} machine
 */
export function storeResults(areas, rows, machine) {
  const kept = readResults().rows.filter((row) => !areas.includes(row.area))
  const all = [...kept, ...rows].sort((a, b) => (a.area < b.area ? -1 : a.area > b.area ? 1 : 0))
  writeFileSync(resultsFile, `${JSON.stringify({ machine, rows: all }, null, 2)}\n`)
}
