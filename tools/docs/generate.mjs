// @ts-check
// Fills the generated parts of the READMEs and checks their links: `npm run docs`; with `--check` nothing is written.
// A generated part stands between `<!-- name -->` and `<!-- /name -->`: `status`, `packages`, `bench` for all figures, `bench:<area>`
// for those of an area, `proof` for what was proved of workers, `torture`, `torture:feed` or `torture:line`, `map` for the import graph, `sources` for the folders of the packages.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { headlines } from '../bench/headlines.mjs'
import { readResults } from '../bench/results.mjs'
import { benchTable, resultsDocument } from '../bench/table.mjs'
import { listFiles, listPackages, root } from '../packages.mjs'
import { PROOF_PAGE, proofPage, proofTable, readProof } from '../proof/results.mjs'
import { reportProblems } from '../report.mjs'
import { feedTable, readResults as readTortureResults, storeTable, survivalLine } from '../torture/results.mjs'
import { strangersCommands } from './commands.mjs'
import { errorPage } from './error-page.mjs'
import { brokenLinks } from './links.mjs'
import { fillMarkers } from './markers.mjs'
import { missingFiles } from './named-files.mjs'
import { packageMap, sourceMap } from './package-map.mjs'
import { packageTable } from './package-table.mjs'
import { unclosedSnippets } from './unclosed.mjs'

const check = argv.includes('--check')
/** In the README of every package until the first release; then the markers go, in one change. */
const STATUS =
  '> Not on npm yet: until the first release, [use it from a clone](../../README.md#two-commands), where all packages are built and linked.'
const packages = listPackages()
const results = readResults()

/** @type {Record<string, string>} */
const parts = {
  status: STATUS,
  packages: packageTable(packages),
  map: packageMap(packages),
  sources: sourceMap(packages),
}
for (const area of new Set(results.rows.map((row) => row.area))) {
  parts[`bench:${area}`] = benchTable(results.rows.filter((row) => row.area === area))
}

parts.bench = benchTable(
  headlines(results.rows).map(({ note: _, ...row }) => ({ ...row, name: `${row.area}: ${row.name}` })),
)
parts.torture = storeTable(readTortureResults())
parts['torture:line'] = survivalLine(readTortureResults())
parts['torture:feed'] = feedTable(readTortureResults())

const proof = readProof()
parts.proof = proofTable(proof)

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'ARCHITECTURE.md',
  'AGENTS.md',
  'CODE_OF_CONDUCT.md',
  'examples/README.md',
  'examples/two-workers/README.md',
  ...listFiles(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
  ...packages.map(({ path }) => `${path}/README.md`),
].filter((file) => existsSync(join(root, file)))

/** @type {string[]} */
const problems = []
if (results.rows.length > 0) bringUpToDate('tools/bench/RESULTS.md', resultsDocument(results))
if (proof.rows.length > 0) bringUpToDate(PROOF_PAGE, proofPage(proof))
const errors = errorPage(packages)
problems.push(...errors.problems)
bringUpToDate('docs/errors.md', errors.page)
for (const document of documents) {
  const file = join(root, document)
  const { text, unknown } = fillMarkers(readFileSync(file, 'utf8'), parts)
  problems.push(...unknown.map((name) => `${document} has a part "${name}" that nothing generates`))
  problems.push(...brokenLinks(file, text).map((link) => `${document} links to ${link}, which does not exist`))
  problems.push(
    ...unclosedSnippets(text).map((line) => `${document}:${line} opens what it does not close in a finally`),
  )
  problems.push(
    ...strangersCommands(text).map(
      (line) =>
        `${document}:${line} uses the command minions without its package; write npx @minions/cli, or install @minions/cli first`,
    ),
  )
  problems.push(...missingFiles(root, text).map((name) => `${document} names ${name}, which does not exist`))
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
