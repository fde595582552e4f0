// @ts-check
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { root } from '../packages.mjs'

/** Works in a clone of what is committed, without anything that was installed or built. @param {(clone: string) => void} work */
export function inClone(work) {
  const clone = mkdtempSync(join(tmpdir(), 'minions-bench-'))
  try {
    run('git', ['clone', '--quiet', '--no-hardlinks', root, clone], root)
    work(clone)
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}

/** @param {string} command @param {string[]} args @param {string} folder @returns {number} seconds that pass */
export function wallSeconds(command, args, folder) {
  const started = performance.now()
  run(command, args, folder)
  return (performance.now() - started) / 1000
}

/** @param {string} command @param {string[]} args @param {string} folder @returns {number} seconds that processors are busy */
export function cpuSeconds(command, args, folder) {
  // The last line of what `times` says is of the processes that were started: `0m1.20s 0m0.30s`.
  const said = run('sh', ['-c', '"$@" >/dev/null && times', 'sh', command, ...args], folder)
  const busy = [...(said.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  if (busy.length !== 2) throw new Error(`the shell does not tell how long ${command} took: ${said}`)
  return busy.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}

/** @param {string} command @param {string[]} args @param {string} folder @returns {string} what it printed */
export function run(command, args, folder) {
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
