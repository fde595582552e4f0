// @ts-check
// Everything that must hold, as `npm test` runs it: `node tools/test.mjs [target…]`. With `--postgres` only those test files run
// that come out differently on the PostgreSQL server that MINIONS_TEST_POSTGRES_URL names.
// Ends with what was skipped and why, and one line `N passed, N failed, N skipped`; `reports/tests.txt` has every name.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { argv, env, execPath } from 'node:process'
import { filesOnPostgres } from './ci/files-on-postgres.mjs'
import { lastScreen, runReport } from './last-screen.mjs'
import { commandFile, listPackages, readJson, root } from './packages.mjs'
import { emptySummary, summarize } from './summary.mjs'

/** @import { Summary, Task } from './summary.mjs' */

/**
 * The one list of targets, run alike by developers and in CI. A target runs in every project that has it. Where nothing else
 * decides, the task runner keeps to this order, so the long ones come first: the short ones then fill what they leave idle.
 */
const everything = [
  'compile',
  'test',
  'test:tools',
  'check:tarballs',
  'check:types',
  'check:operations',
  'lint',
  'check:unused',
  'check:tools',
  'check:types-cost',
  'check:layering',
  'check:consistency',
  'check:schemas',
  'check:docs',
  'check:words',
  'check:lockfile',
]

const isOnlyPostgres = argv.includes('--postgres')
const given = argv.slice(2).filter((word) => word !== '--postgres')
const targets = given.length > 0 ? given : isOnlyPostgres ? ['test', 'test:tools'] : everything
const cache = env.NX_CACHE_DIRECTORY ?? join(root, '.nx/cache')
const runFile = join(cache, 'run.json')
const folders = ['tools', ...listPackages().map(({ path }) => path)]
const files = isOnlyPostgres ? folders.flatMap((folder) => filesOnPostgres(folder)) : undefined
const packages = listPackages().filter(({ path }) => files?.some((file) => file.startsWith(`${path}/`)) ?? true)
/** Where a project's suites report, by the project's name. The report is an output of its task, so a cached run restores it. */
const reports = new Map([
  ['minions', join(root, 'tools/reports/tests.json')],
  ...packages.map(({ name, folder }) => /** @type {const} */ ([name, join(folder, 'reports/tests.json')])),
])

// What an earlier run left behind must never be counted as this run's result.
rmSync(runFile, { force: true })
for (const report of reports.values()) rmSync(report, { force: true })

const projects = files ? ['-p', [...reports.keys()].join(',')] : []
const nx = spawnSync(
  execPath,
  [commandFile('nx', 'nx'), 'run-many', '-t', ...targets, ...projects, '--nxBail=false', '--outputStyle=static'],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...env, ...(files && { MINIONS_TEST_FILES: files.join(',') }) },
  },
)

const summary = readSummary()
const report = 'reports/tests.txt'
mkdirSync(dirname(join(root, report)), { recursive: true })
writeFileSync(join(root, report), runReport(summary))
console.log(lastScreen(summary, report, process.stdout.columns).join('\n'))
process.exitCode = summary.failed > 0 || nx.status !== 0 ? 1 : 0

/** @returns {Summary} */
function readSummary() {
  try {
    /** @type {Task[]} */
    const ran = readJson(runFile).tasks
    const missing = expectedTasks().filter(
      ({ projectName, target }) => !ran.some((task) => task.projectName === projectName && task.target === target),
    )
    return summarize([...ran, ...missing], (project) => readReport(reports.get(project)))
  } catch (error) {
    return { ...emptySummary(), failed: 1, failures: [`the task runner left no result: ${error}`] }
  }
}

/**
 * The task runner leaves out of its result what it did not run because something before it failed.
 *
 * @returns {Task[]}
 */
function expectedTasks() {
  const projects = [
    { name: 'minions', targets: readJson(join(root, 'package.json')).nx.includedScripts },
    ...packages.map(({ name, manifest }) => ({ name, targets: Object.keys(manifest.scripts ?? {}) })),
  ]
  return projects.flatMap(({ name, targets: own }) =>
    targets
      .filter((target) => own.includes(target))
      .map((target) => ({ projectName: name, target, status: 'not run' })),
  )
}

/** @param {string | undefined} file */
function readReport(file) {
  try {
    return file === undefined ? undefined : readJson(file)
  } catch {
    return undefined
  }
}
