// @ts-check
// Runs the whole suite again and again beside busy loops, to find tests that fail now and then:
// `npm run test:load -- [runs] [target…]`, ten runs of everything unless told. Each run begins without results of the one before; what it
// printed is in `reports/load`. Says one line a run.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath } from 'node:process'
import { readJson, root } from './packages.mjs'

/** @import { Task } from './summary.mjs' */

const [count = '10', ...targets] = argv.slice(2)
const runs = Number(count)
if (!Number.isInteger(runs) || runs < 1) {
  console.error(`The number of runs must be a whole number from 1, not ${count}.`)
  process.exit(2)
}

const folder = join(root, 'reports/load')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

/** A loop ends with this process, however that ends. */
const loop = 'const { ppid } = process; while (process.ppid === ppid);'
const loops = cpus().map(() => spawn(execPath, ['-e', loop], { stdio: 'ignore' }))

for (let run = 1; run <= runs; run++) {
  const started = Date.now()
  const { status, stdout, stderr } = spawnSync(execPath, [join(root, 'tools/test.mjs'), ...targets], {
    cwd: root,
    encoding: 'utf8',
    env: { ...env, NX_SKIP_NX_CACHE: 'true' },
    maxBuffer: 2 ** 30,
  })
  const said = `${stdout}${stderr}`
  writeFileSync(join(folder, `${run}.txt`), said)
  const failed = said.split('\n').filter((line) => line.startsWith('failed: '))
  const closing = said.match(/^\d+ passed, .*$/m)?.[0] ?? 'no result'
  console.log(`run ${run}: ${closing} in ${Math.round((Date.now() - started) / 1000)} s`)
  for (const line of failed) console.log(`  ${line}`)
  const repeated = cachedTasks()
  if (repeated.length > 0) console.log(`  not run, but taken from an earlier run: ${repeated.join(', ')}`)
  if (status !== 0 || repeated.length > 0) process.exitCode = 1
}
for (const busy of loops) busy.kill()

/** @returns {string[]} */
function cachedTasks() {
  /** @type {(Task & { cacheStatus: string })[]} */
  const tasks = readJson(join(root, '.nx/cache/run.json')).tasks
  return tasks
    .filter(({ cacheStatus }) => cacheStatus !== 'cache-miss')
    .map((task) => `${task.projectName} ${task.target}`)
}
