// @ts-check
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../packages.mjs'

/** @import { Finding } from './cases.mjs' */
/** @import { Order, Step } from './child.mjs' */
/**
 * @typedef {{ findings: Finding[], problems: string[], targets: string[], cases: number }} Outcome
 * @typedef {{ onTarget?: ((name: string, outcome: Outcome) => void) | undefined, onFinding?: ((finding: Finding) => void) | undefined }} Told
 */

/** A process that takes no step for so many milliseconds is blocked, though it does not use the processor. */
const LONGEST_STEP = 120_000

/**
 * Runs all cases in processes that end when a call blocks them, and goes on behind that call.
 *
 * @param {{ seed: number, quick: boolean, share?: number | undefined, only?: string | undefined, lanes?: number } & Told} options
 *   `lanes`: processes that share the targets
 * @returns {Promise<Outcome>}
 */
export async function runCases({ onTarget, onFinding, lanes = 1, ...order }) {
  /** @type {Outcome} */
  const outcome = { findings: [], problems: [], targets: [], cases: 0 }
  const all = Array.from({ length: lanes }, async (_, lane) => {
    /** @type {Order | undefined} */
    let next = { ...order, lane, lanes, from: lane, skip: 0 }
    while (next !== undefined) next = await runChild(next, outcome, { onTarget, onFinding })
  })
  await Promise.all(all)
  return outcome
}

/**
 * @param {Order} order
 * @param {Outcome} outcome
 * @param {Told} told
 * @returns {Promise<Order | undefined>} what is left to do
 */
async function runChild(order, outcome, { onTarget, onFinding }) {
  // A relative path among the arguments writes here.
  const cwd = mkdtempSync(join(tmpdir(), 'minions-fuzz-cwd-'))
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=3000', join(root, 'tools/fuzz/api/child.mjs'), JSON.stringify(order)],
    { cwd, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const ended = new Promise((resolve) => child.once('close', resolve))
  let complaints = ''
  child.stderr?.on('data', (data) => {
    complaints = (complaints + data).slice(-2000)
  })
  let isDone = false
  let isBlocked = false
  /** @type {number | undefined} */
  let left
  /** @type {{ target: number, index: number } | undefined} */
  let last
  const kill = () => {
    isBlocked = true
    child.kill('SIGKILL')
  }
  let watchdog = setTimeout(kill, LONGEST_STEP)
  for await (const line of createInterface({ input: /** @type {import('node:stream').Readable} */ (child.stdio[3]) })) {
    clearTimeout(watchdog)
    watchdog = setTimeout(kill, LONGEST_STEP)
    const step = /** @type {Step} */ (JSON.parse(line))
    if (step.kind === 'found') {
      // Every process finds the same.
      if (outcome.targets.length === 0) outcome.problems.push(...step.problems)
      outcome.targets = step.targets
    } else if (step.kind === 'finding') {
      outcome.findings.push(step.finding)
      onFinding?.(step.finding)
    } else if (step.kind === 'blocked') isBlocked = true
    else if (step.kind === 'left') left = step.target
    else if (step.kind === 'done') isDone = true
    else {
      outcome.cases++
      if (last?.target !== step.target) onTarget?.(outcome.targets[step.target] ?? '', outcome)
      last = step
    }
  }
  clearTimeout(watchdog)
  await ended
  rmSync(cwd, { recursive: true, force: true })
  if (isDone) return undefined
  const { fate: _, ...rest } = order
  if (left !== undefined) return { ...rest, from: left + 1, skip: 0 }
  if (last === undefined) {
    outcome.problems.push(`a process ended before its first call: ${complaints}`)
    return undefined
  }
  const fate = isBlocked ? 'blocked the process, which had to be killed' : `ended the process: ${complaints}`
  return { ...rest, from: last.target, skip: last.index, fate }
}
