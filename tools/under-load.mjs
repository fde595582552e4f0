// @ts-check
// Runs the whole suite again and again beside busy loops, to find tests that fail now and then:
// `npm run test:load -- [runs] [target…]`, ten runs of everything unless told. Each run begins without results of the one before; what it
// printed is in `reports/load`. Ends with one line a run.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath } from 'node:process'
import { root } from './packages.mjs'

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
  const cache = mkdtempSync(join(tmpdir(), 'minions-load-'))
  const started = Date.now()
  const { status, stdout, stderr } = spawnSync(execPath, [join(root, 'tools/test.mjs'), ...targets], {
    cwd: root,
    encoding: 'utf8',
    env: { ...env, NX_CACHE_DIRECTORY: cache },
    maxBuffer: 2 ** 30,
  })
  rmSync(cache, { recursive: true, force: true })
  const said = `${stdout}${stderr}`
  writeFileSync(join(folder, `${run}.txt`), said)
  const failed = said.split('\n').filter((line) => line.startsWith('failed: '))
  const closing = said.match(/^\d+ passed, .*$/m)?.[0] ?? 'no result'
  console.log(`run ${run}: ${closing} in ${Math.round((Date.now() - started) / 1000)} s`)
  for (const line of failed) console.log(`  ${line}`)
  if (status !== 0) process.exitCode = 1
}
for (const busy of loops) busy.kill()
