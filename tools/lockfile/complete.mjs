// @ts-check
// Completes package-lock.json: `npm run lockfile`; with `--check` nothing is written.
// npm drops optional packages of other platforms from the lockfile when it could not load them, and `npm ci` then
// refuses that lockfile.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { readJson, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { missingEntries } from './missing.mjs'

const check = argv.includes('--check')
const file = join(root, 'package-lock.json')
const lock = readJson(file)
const missing = missingEntries(lock.packages)
const places = Object.keys(missing)

if (!check && places.length > 0) {
  const packages = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`)
}
reportProblems(
  'lockfile',
  check ? places.map((place) => `${place} is missing; run npm run lockfile`) : [],
  check ? 'every optional package of every platform is in it' : `${places.length} entries added`,
)
