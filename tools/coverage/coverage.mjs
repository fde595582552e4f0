// @ts-check
// Measures how much of each package its own tests run: `npm run coverage`, `npm run coverage -- core prompts`.
// Prints one table; the figures of each file are in the package's coverage/coverage-summary.json.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { argv } from 'node:process'
import { listPackages, readJson, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { coverageTable } from './table.mjs'

/** @import { PackageCoverage } from './table.mjs' */

const wanted = argv.slice(2)
const packages = listPackages().filter(({ folder }) => wanted.length === 0 || wanted.includes(basename(folder)))
/** @type {string[]} */
const problems = []
/** @type {PackageCoverage[]} */
const measured = []

for (const { name, folder } of packages) {
  const summary = join(folder, 'coverage/coverage-summary.json')
  rmSync(summary, { force: true })
  const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', '--coverage'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) problems.push(`the tests of ${name} failed, so nothing was measured`)
  else measured.push({ name, total: readJson(summary).total })
}

console.log(`\n${coverageTable(measured)}\n`)
reportProblems('coverage', problems, `${measured.length} packages measured`)
