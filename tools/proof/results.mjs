// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root } from '../packages.mjs'

/**
 * @typedef {object} ProofRow
 * @property {string} what
 * @property {string} store
 * @property {number} value
 * @property {string} unit
 * @property {number} load load average of the machine then
 * @property {number} [bar]
 * @property {'more' | 'less'} [better]
 * @property {string} [note]
 */

const JSON_FILE = join(root, 'tools/proof/results.json')
const PAGE = join(root, 'tools/proof/RESULTS.md')

/** The rows that were stored, in order. @returns {ProofRow[]} */
export function readProof() {
  return existsSync(JSON_FILE) ? JSON.parse(readFileSync(JSON_FILE, 'utf8')).rows : []
}

/** Keeps rows in place of earlier ones of the same name, and writes the page. @param {readonly ProofRow[]} rows */
export function storeProof(rows) {
  const all = new Map(readProof().map((row) => [keyOf(row), row]))
  for (const row of rows) all.set(keyOf(row), { ...row, value: Number(row.value.toPrecision(4)) })
  const sorted = [...all.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  writeFileSync(JSON_FILE, `${JSON.stringify({ rows: sorted }, null, 2)}\n`)
  writeFileSync(PAGE, page(sorted))
}

/** @param {ProofRow} row */
function keyOf({ store, what }) {
  return `${store} ${what.replace(/\d+ (?=jobs|tasks|executions|missions)|of \d+/g, '')}`
}

/** @param {readonly ProofRow[]} rows */
export function proofTable(rows) {
  const lines = rows.map(({ store, what, value, unit, bar, better, load, note = '' }) => {
    const wanted = bar === undefined ? '' : `${better === 'more' ? '≥' : '≤'} ${bar}`
    const verdict = bar === undefined ? '' : (better === 'more' ? value >= bar : value <= bar) ? 'met' : 'missed'
    return `| ${store} | ${what} | ${value} ${unit} | ${wanted} | ${verdict} | ${load} | ${note} |`
  })
  return ['| store | what | value | wanted | | load | seen |', '|---|---|---|---|---|---|---|', ...lines].join('\n')
}

/** @param {readonly ProofRow[]} rows */
function page(rows) {
  return `# Workers, proved

Written by \`npm run proof -- workers\`, on ${cpus().length} cores. The load is the average of the machine meanwhile: what is above the number
of cores was the work of other programs, or of more workers than there are cores.

${proofTable(rows)}
`
}
