// @ts-check
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { root } from '../../packages.mjs'
import { describe } from '../measure.mjs'

/** @import { Bench } from '../area.mjs' */

const rounds = 15

/** @param {Bench} bench */
export default async function (bench) {
  const minions = join(root, 'packages/cli/bin/minions.js')
  const home = mkdtempSync(join(tmpdir(), 'minions-bench-cli-'))
  try {
    run([minions, 'create', 'note', '--title', 'One', '--content', 'Something to list.'], home)
    /** @type {Record<'help' | 'list' | 'node' | 'core', number[]>} */
    const times = { help: [], list: [], node: [], core: [] }
    // In turns, so that whatever slows the machine down hits all of them.
    for (let round = 0; round < rounds; round++) {
      times.help.push(time([minions, '--help'], home))
      times.list.push(time([minions, 'list'], home))
      times.node.push(time(['-e', '0'], home))
      times.core.push(cpu("import '@minions/core'", home))
    }
    const bare = describe(times.node).median
    for (const [name, command, bar] of /** @type {const} */ ([
      ['`minions --help`', times.help, 3],
      ['`minions list` on SQLite', times.list, 4],
    ])) {
      const own = describe(command).median
      bench.value({
        name: `${name}, times \`node -e 0\``,
        value: own / bare,
        unit: '×',
        bar,
        from: 'starting Node itself',
        note: `${own.toFixed(0)} ms and ${bare.toFixed(0)} ms`,
      })
    }
    bench.value({
      name: "`import '@minions/core'`, with starting Node, of CPU",
      value: describe(times.core).median,
      unit: 'ms',
      bar: 250,
      from: 'what nobody notices',
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** @param {string[]} args @param {string} home @returns {number} milliseconds of a process */
function time(args, home) {
  const started = performance.now()
  run(args, home)
  return performance.now() - started
}

/** @param {string} code @param {string} home @returns {number} milliseconds that the processors were busy with a module */
function cpu(code, home) {
  const report = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)'
  return Number(run(['--input-type=module', '-e', `${code}; ${report}`], home))
}

/** @param {string[]} args @param {string} home @returns {string} what it printed */
function run(args, home) {
  const { status, stdout, stderr } = spawnSync(execPath, args, {
    encoding: 'utf8',
    // Modules are looked for from here.
    cwd: join(root, 'packages/cli'),
    env: { ...env, MINIONS_HOME: home },
  })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}
