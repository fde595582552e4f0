// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root } from '../packages.mjs'

/**
 * @typedef {object} ProofRow
 * @property {string} what begins with the number of jobs, unless it varies
 * @property {string} store
 * @property {number} value
 * @property {string} unit
 * @property {number} load load average of the machine then
 * @property {number} [bar]
 * @property {'more' | 'less'} [better]
 * @property {string} [base] the row that it is a multiple of, such as that of one worker
 * @property {string} [note]
 */

/**
 * @typedef {object} Proof
 * @property {number} cores of the machine
 * @property {ProofRow[]} rows
 */

const JSON_FILE = join(root, 'tools/proof/results.json')
/** Path of the page in the repository. */
export const PROOF_PAGE = 'tools/proof/RESULTS.md'

/** What was stored, in order. @returns {Proof} */
export function readProof() {
  return existsSync(JSON_FILE) ? JSON.parse(readFileSync(JSON_FILE, 'utf8')) : { cores: cpus().length, rows: [] }
}

/** Keeps rows in place of earlier ones of the same name, and writes the page. @param {readonly ProofRow[]} rows */
export function storeProof(rows) {
  const all = new Map(readProof().rows.map((row) => [keyOf(row), row]))
  for (const row of rows) all.set(keyOf(row), { ...row, value: Number(row.value.toPrecision(4)) })
  const sorted = [...all.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const proof = { cores: cpus().length, rows: sorted }
  writeFileSync(JSON_FILE, `${JSON.stringify(proof, null, 2)}\n`)
  writeFileSync(join(root, PROOF_PAGE), proofPage(proof))
}

/** @param {ProofRow} row */
function keyOf({ store, what }) {
  return `${store} ${what.replace(/\d+ (?=jobs|tasks|executions|missions)|of \d+/g, '')}`
}

/** The table, and how it was measured. @param {Proof} proof */
export function proofTable({ cores, rows }) {
  const lines = rows.map((row) => {
    const { store, what, value, unit, bar, better, load } = row
    const wanted = bar === undefined ? '' : `${better === 'more' ? '≥' : '≤'} ${bar}`
    const verdict = bar === undefined ? '' : (better === 'more' ? value >= bar : value <= bar) ? 'met' : 'missed'
    const seen = [multiple(row, rows), row.note].filter(Boolean).join('; ')
    return `| ${store} | ${what} | ${value} ${unit} | ${wanted} | ${verdict} | ${load} | ${seen} |`
  })
  const how = `Measured on ${cores} cores. The load is the average of the machine meanwhile: what is above the number of cores was the work of
other programs, or of more workers than there are cores, and slowed the row down.`
  const head = ['| store | what | value | wanted | | load | seen |', '|---|---|---|---|---|---|---|']
  return [how, '', ...head, ...lines].join('\n')
}

/** How it compares with the row of the same store, for as many jobs, that it is a multiple of. @param {ProofRow} row @param {readonly ProofRow[]} rows */
function multiple({ store, value, base }, rows) {
  const one = rows.find((row) => row.store === store && row.what === base)
  return one ? `${(value / one.value).toFixed(2)} × ${one.value} ${one.unit}` : ''
}

/** @param {Proof} proof */
export function proofPage(proof) {
  return `# Workers, proved

Written by \`npm run proof -- workers\`.

${proofTable(proof)}
`
}
