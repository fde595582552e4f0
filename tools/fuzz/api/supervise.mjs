// @ts-check
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../packages.mjs'

/** @import { Finding } from './cases.mjs' */
/** @import { Order, Step } from './child.mjs' */

/** A process that takes no step for so many milliseconds is blocked. */
const LONGEST_STEP = 30_000
/** Others may have had the processors, so a case that blocked a process is tried once more, for so many times as long. */
const PATIENCE = 4
/** Finding all targets and their first world takes longer. */
const LONGEST_START = 120_000

/**
 * Runs all cases in processes that are ended when a call blocks them, and goes on behind that call.
 *
 * @param {{ seed: number, quick: boolean, share?: number | undefined, only?: string | undefined,
 *   onTarget?: (name: string, done: number) => void, onFinding?: (finding: Finding) => void }} options
 */
export async function runCases({ onTarget, onFinding, ...order }) {
  const state = {
    /** @type {Finding[]} */ findings: [],
    /** @type {string[]} */ problems: [],
    /** @type {string[]} */ targets: [],
    cases: 0,
  }
  /** @type {Order | undefined} */
  let next = { ...order, from: 0, skip: 0 }
  while (next !== undefined) next = await runChild(next, state, { onTarget, onFinding })
  return state
}

/**
 * @param {Order} order
 * @param {{ findings: Finding[], problems: string[], targets: string[], cases: number }} state
 * @param {{ onTarget?: ((name: string, done: number) => void) | undefined, onFinding?: ((finding: Finding) => void) | undefined }} told
 * @returns {Promise<Order | undefined>} what is left to do
 */
async function runChild(order, state, { onTarget, onFinding }) {
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=3000', join(root, 'tools/fuzz/api/child.mjs'), JSON.stringify(order)],
    { cwd: root, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const ended = new Promise((resolve) => child.once('close', resolve))
  let complaints = ''
  child.stderr?.on('data', (data) => {
    complaints = (complaints + data).slice(-2000)
  })
  let isDone = false
  /** @type {{ target: number, index: number } | undefined} */
  let last
  let fate = 'ended the process'
  const kill = () => {
    fate = 'blocked the process, which had to be killed'
    child.kill('SIGKILL')
  }
  let watchdog = setTimeout(kill, LONGEST_START)
  for await (const line of createInterface({ input: /** @type {import('node:stream').Readable} */ (child.stdio[3]) })) {
    clearTimeout(watchdog)
    watchdog = setTimeout(kill, LONGEST_STEP * (order.again ? PATIENCE : 1))
    const step = /** @type {Step} */ (JSON.parse(line))
    if (step.kind === 'found') Object.assign(state, { targets: step.targets, problems: step.problems })
    else if (step.kind === 'finding') {
      state.findings.push(step.finding)
      onFinding?.(step.finding)
    } else if (step.kind === 'done') isDone = true
    else {
      state.cases++
      if (last?.target !== step.target) onTarget?.(state.targets[step.target] ?? '', step.target)
      last = step
    }
  }
  clearTimeout(watchdog)
  await ended
  if (isDone) return undefined
  if (last === undefined) {
    state.problems.push(`a process ended before its first call: ${complaints}`)
    return undefined
  }
  const { fate: _fate, again: _again, ...rest } = order
  const isBlocked = fate.startsWith('blocked')
  // The case that an earlier process was ended by is the first of this one.
  const isAgain = order.again === true && last.target === order.from && last.index === order.skip + 1
  if (isBlocked && !isAgain) return { ...rest, from: last.target, skip: last.index - 1, again: true }
  return { ...rest, from: last.target, skip: last.index, fate: isBlocked ? fate : `${fate}: ${complaints}` }
}
