// @ts-check
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { root } from '../../packages.mjs'
import { describe } from '../measure.mjs'

/** @import { Bench } from '../area.mjs' */

const rounds = 15

/** @param {Bench} bench */
export default async function (bench) {
  const minions = join(root, 'packages/cli/bin/minions.js')
  /** @type {number[]} */
  const ours = []
  /** @type {number[]} */
  const node = []
  // In turns, so that whatever slows the machine down hits both.
  for (let round = 0; round < rounds; round++) {
    ours.push(time([minions, '--help']))
    node.push(time(['-e', '0']))
  }
  const [help, bare] = [describe(ours).median, describe(node).median]
  bench.value({
    name: '`minions --help`, times `node -e 0`',
    value: help / bare,
    unit: '×',
    bar: 3,
    note: `${help.toFixed(0)} ms and ${bare.toFixed(0)} ms`,
  })
}

/** @param {string[]} args @returns {number} milliseconds of a process */
function time(args) {
  const started = performance.now()
  const { status, stderr } = spawnSync(execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - started
}
