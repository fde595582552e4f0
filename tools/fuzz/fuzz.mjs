// @ts-check
// Tries the properties of all packages, or of some, more often than CI does and on fresh input:
// `npm run fuzz`, `npm run fuzz -- core prompts`; `MINIONS_FUZZ=100` says how many times as often, `MINIONS_FUZZ_SEED` repeats.
// `npm run fuzz -- queries` compares the backends with a model instead: see `queries.mjs`. `npm run fuzz -- api` calls
// everything with hostile values, on built packages: see `api/api.mjs`.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { argv, env } from 'node:process'
import { listFiles, listPackages, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { fuzzApi } from './api/api.mjs'
import { fuzzQueries } from './queries.mjs'

const wanted = argv.slice(2)

if (wanted[0] === 'queries') await fuzzQueries()
else if (wanted[0] === 'api') await fuzzApi(wanted[1])
else fuzzPackages()

/** Tries the properties of the packages that are wanted. */
function fuzzPackages() {
  const factor = env.MINIONS_FUZZ ?? '10'
  const packages = listPackages().filter(({ folder }) => wanted.length === 0 || wanted.includes(basename(folder)))
  /** @type {string[]} */
  const problems = wanted
    .filter((name) => !packages.some(({ folder }) => basename(folder) === name))
    .map((name) => `there is no package ${name}`)
  let fuzzed = 0

  for (const { name, folder } of packages) {
    const files = listFiles(join(folder, 'test')).filter(
      (file) => file.endsWith('.test.ts') && hasProperties(folder, file),
    )
    if (files.length === 0) continue
    fuzzed += files.length
    console.log(`== ${name}: ${files.length} files, each property ${factor} times as often`)
    const { status } = spawnSync(
      join(root, 'node_modules/.bin/vitest'),
      ['run', ...files.map((file) => `test/${file}`)],
      {
        cwd: folder,
        env: { ...env, MINIONS_FUZZ: factor },
        stdio: 'inherit',
      },
    )
    if (status !== 0) problems.push(`${name} failed; its output names the seed`)
  }
  reportProblems(
    'fuzz',
    problems,
    `the properties of ${fuzzed} test files hold, ${factor} times as many tries as usual`,
  )
}

/**
 * Whether a test file states properties, or runs a suite that does.
 *
 * @param {string} folder
 * @param {string} file
 */
function hasProperties(folder, file) {
  return /from '(fast-check|@minions\/storage-testkit|\.\/suites\/[^']+)'/.test(
    readFileSync(join(folder, 'test', file), 'utf8'),
  )
}
