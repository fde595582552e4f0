// @ts-check
// What contributors wait for, in a clone of what is committed. Takes half an hour, so it is only measured when it is named.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { costsOf, limits, withUserProgram } from '../../checks/types-cost.mjs'
import { listPackages, root } from '../../packages.mjs'

/** @import { Bench } from '../area.mjs' */

/** @param {Bench} bench */
export default async function (bench) {
  measureTypes(bench)
  const clone = mkdtempSync(join(tmpdir(), 'minions-bench-loop-'))
  try {
    run('git', ['clone', '--quiet', '--no-hardlinks', root, clone], root)
    run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], clone)
    measureCommands(bench, clone)
    measureSuites(bench, clone)
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}

/** Work that our types give the compiler. @param {Bench} bench */
function measureTypes(bench) {
  const packages = listPackages()
  const costs = costsOf(packages).sort((a, b) => b.instantiations - a.instantiations)
  const core = costs.find(({ name }) => name === '@minions/core')
  const dearest = costs.find(({ name }) => name !== '@minions/core')
  if (!core || !dearest) throw new Error('there are no packages')
  const tsc = join(root, 'node_modules/.bin/tsc')
  bench.value({
    name: 'type instantiations in checking `@minions/core`',
    value: core.instantiations,
    unit: 'instantiations',
    bar: limits['@minions/core'],
    from: 'what `npm run check:types-cost` allows',
  })
  bench.value({
    name: 'type instantiations in checking the dearest other package',
    value: dearest.instantiations,
    unit: 'instantiations',
    bar: limits.others,
    from: 'what `npm run check:types-cost` allows',
    note: dearest.name,
  })
  bench.value({
    name: 'checking the types of a program that imports everything, of CPU',
    value: withUserProgram(packages, (folder, args) => cpuSeconds(tsc, ['--noEmit', ...args], folder)),
    unit: 's',
    bar: 2,
    from: "what a user's editor may take to start",
  })
}

/** @param {Bench} bench @param {string} clone */
function measureCommands(bench, clone) {
  const from = 'what one waits for without doing something else'
  bench.value({
    name: '`npm run build`, cold',
    value: wallSeconds('npm', ['run', 'build'], clone),
    unit: 's',
    bar: 15,
    from,
  })
  for (const { path } of listPackages()) rmSync(join(clone, path, 'dist'), { recursive: true, force: true })
  bench.value({
    name: '`npm test`, cold',
    value: wallSeconds('npm', ['test'], clone),
    unit: 's',
    bar: 480,
    from: 'a break',
  })
  bench.value({
    name: '`npm test`, nothing changed',
    value: wallSeconds('npm', ['test'], clone),
    unit: 's',
    bar: 20,
    from,
  })
}

/** Each package's own tests, after they have run once. @param {Bench} bench @param {string} clone */
function measureSuites(bench, clone) {
  const bar = 20
  const suites = listPackages()
    .map(({ name, path }) => ({ name, seconds: wallSeconds('npm', ['test'], join(clone, path)) }))
    .sort((a, b) => b.seconds - a.seconds)
  const over = suites.filter(({ seconds }) => seconds > bar)
  bench.value({
    name: "the slowest package's own tests, warm",
    value: suites[0]?.seconds ?? Number.NaN,
    unit: 's',
    bar,
    from: 'what one waits for after each change',
    note: `${suites.length - over.length} of ${suites.length} packages take less than the bar; the others: ${over.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join(', ') || 'none'}`,
  })
}

/** @param {string} command @param {string[]} args @param {string} folder @returns {number} seconds that pass */
function wallSeconds(command, args, folder) {
  const started = performance.now()
  run(command, args, folder)
  return (performance.now() - started) / 1000
}

/** @param {string} command @param {string[]} args @param {string} folder @returns {number} seconds that processors are busy */
function cpuSeconds(command, args, folder) {
  // The last line of what `times` says is of the processes that were started: `0m1.20s 0m0.30s`.
  const said = run('sh', ['-c', '"$@" >/dev/null && times', 'sh', command, ...args], folder)
  const busy = [...(said.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  if (busy.length !== 2) throw new Error(`the shell does not tell how long ${command} took: ${said}`)
  return busy.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}

/** @param {string} command @param {string[]} args @param {string} folder @returns {string} what it printed */
function run(command, args, folder) {
  // As in a plain shell: without servers, and without what `npm run` has set for this process.
  const plain = Object.entries(env).filter(([name]) => !/^(npm_|MINIONS_|NX_|INIT_CWD$)/.test(name))
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: Object.fromEntries(plain),
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`)
  return stdout
}
