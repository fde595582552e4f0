// @ts-check
// Fills the generated parts of the READMEs and checks their links: `npm run docs`; with `--check` nothing is written.
// A generated part stands between `<!-- name -->` and `<!-- /name -->`: `packages`, `bench` for all figures, `bench:<area>`
// for those of an area, or `torture`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { readResults } from '../bench/results.mjs'
import { benchTable, resultsDocument } from '../bench/table.mjs'
import { listPackages, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { readResults as readTortureResults, tortureTable } from '../torture/results.mjs'
import { brokenLinks } from './links.mjs'
import { fillMarkers } from './markers.mjs'
import { packageTable } from './package-table.mjs'

const check = argv.includes('--check')
const packages = listPackages()
const results = readResults()

/** @type {Record<string, string>} */
const parts = { packages: packageTable(packages) }
for (const area of new Set(results.rows.map((row) => row.area))) {
  parts[`bench:${area}`] = benchTable(results.rows.filter((row) => row.area === area))
}

parts.bench = benchTable(results.rows.map(({ note: _, ...row }) => ({ ...row, name: `${row.area}: ${row.name}` })))
parts.torture = tortureTable(readTortureResults())

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...packages.map(({ path }) => `${path}/README.md`),
].filter((file) => existsSync(join(root, file)))

/** @type {string[]} */
const problems = []
if (results.rows.length > 0) bringUpToDate('tools/bench/RESULTS.md', resultsDocument(results))
for (const document of documents) {
  const file = join(root, document)
  const { text, unknown } = fillMarkers(readFileSync(file, 'utf8'), parts)
  problems.push(...unknown.map((name) => `${document} has a part "${name}" that nothing generates`))
  problems.push(...brokenLinks(file, text).map((link) => `${document} links to ${link}, which does not exist`))
  bringUpToDate(document, text)
}

reportProblems('docs', problems, `${documents.length} documents ${check ? 'are' : 'were brought'} up to date`)

/** @param {string} document @param {string} text what it should hold */
function bringUpToDate(document, text) {
  const file = join(root, document)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  if (check) problems.push(`${document} is out of date; run npm run docs`)
  else writeFileSync(file, text)
}
