// @ts-check
// What contributors wait for, in a clone of what is committed. Takes half an hour, so it is only measured when it is named.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { costsOf, limits, withUserProgram } from '../../checks/types-cost.mjs'
import { listPackages, root } from '../../packages.mjs'
import { cpuSeconds, inClone, run, wallSeconds } from '../commands.mjs'

/** @import { Bench } from '../area.mjs' */

/** @param {Bench} bench */
export default async function (bench) {
  measureTypes(bench)
  inClone((clone) => {
    run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], clone)
    measureCommands(bench, clone)
    measureSuites(bench, clone)
  })
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
