// @ts-check
import { setImmediate } from 'node:timers/promises'
import { types } from 'node:util'
import { isMinionsError } from '@minions/core'
import { isOfPromise } from './values.mjs'
import { beginCall } from './watchdog.mjs'

/** @import { Target } from './targets.mjs' */
/** @typedef {{ kind: 'leak' | 'slow' | 'endless' | 'message', error: string }} Verdict what is wrong with a call */

/** No call takes longer, in milliseconds: of the processor, since others use it too, and of waiting. */
const LONGEST_CALL = 1000
/** A message that quotes a hundred characters of each value that is wrong stays below this. */
const LONGEST_MESSAGE = 5000
const LONGEST_DETAILS = 1_000_000
/** As much of what is iterated is read. */
const MOST_ITEMS = 3
/** How long the next item of a feed is waited for, which may be for ever. */
const LONGEST_PAUSE = 20

/** What was thrown outside of a call, such as in a timer. @type {unknown[]} */
const strays = []

/** Collects what is thrown outside of calls, instead of ending the process. */
export function watchStrays() {
  process.on('unhandledRejection', (error) => strays.push(error))
  process.on('uncaughtException', (error) => strays.push(error))
}

/**
 * Calls a target once and says what is wrong with how that ended; undefined if nothing is.
 *
 * @param {Target} target
 * @param {unknown} subject
 * @param {readonly unknown[]} args
 * @param {number} [patience] how many times as long it may wait
 * @returns {Promise<Verdict | undefined>}
 */
export async function attempt(target, subject, args, patience = 1) {
  strays.length = 0
  beginCall()
  const before = process.cpuUsage()
  /** @type {Verdict | undefined} */
  let verdict
  try {
    if (!(await endsInTime(settle(target.call(subject, args, settle)), LONGEST_CALL * patience))) {
      return { kind: 'endless', error: 'does not end' }
    }
  } catch (error) {
    verdict = verdictOn(error)
  }
  const { user, system } = process.cpuUsage(before)
  const took = (user + system) / 1000
  // What the call left behind fails after it.
  await setImmediate()
  const stray = strays.find((error) => !isAccepted(error))
  if (stray !== undefined) return { kind: 'leak', error: `outside of the call: ${showError(stray)}` }
  if (verdict === undefined && took > LONGEST_CALL) return { kind: 'slow', error: `took ${Math.round(took)} ms` }
  return verdict
}

/** Errors of ours, of the operating system, and of promises of the caller. @param {unknown} error */
function isAccepted(error) {
  return isMinionsError(error) || isOfPromise(error) || (error instanceof Error && 'syscall' in error)
}

/** @param {unknown} error @returns {Verdict | undefined} */
function verdictOn(error) {
  if (!isMinionsError(error) && isAccepted(error)) return undefined
  if (!isMinionsError(error)) return { kind: 'leak', error: showError(error) }
  const { length } = error.message
  if (length > LONGEST_MESSAGE) return { kind: 'message', error: `the message has ${length} characters` }
  try {
    const details = JSON.stringify(error)
    if (details.length > LONGEST_DETAILS)
      return { kind: 'message', error: `the details have ${details.length} characters` }
  } catch (cause) {
    return { kind: 'message', error: `the details cannot be written as JSON: ${showError(cause)}` }
  }
  return undefined
}

/** @param {unknown} error */
function showError(error) {
  try {
    const { name, message, stack } = /** @type {Error} */ (error)
    const where = /\n\s+at .*?((?:packages|plugins)\/[^\s)]+|node:[^\s)]+)/.exec(String(stack))?.[1]
    return `${name}: ${String(message).slice(0, 150)}${where === undefined ? '' : ` at ${where}`}`
  } catch {
    return `${typeof error} that cannot be shown`
  }
}

/** Waits for all that a call returns, and reads the beginning of what can be iterated. @param {unknown} result */
async function settle(result) {
  // What is not a promise of the language is passed through and never awaited.
  const value = types.isPromise(result) ? await result : result
  if (types.isGeneratorObject(value)) {
    const generator = /** @type {Generator} */ (value)
    for (let count = 0; count < MOST_ITEMS; count++) generator.next()
    return
  }
  const iterator = asyncIteratorOf(value)
  if (iterator === undefined) return
  for (let count = 0; count < MOST_ITEMS; count++) {
    const next = iterator.next()
    if (!(await endsInTime(next, LONGEST_PAUSE))) break
    if ((await next)?.done) break
  }
  iterator.return?.().catch?.(() => undefined)
}

/** @param {any} value @returns {AsyncIterator<unknown> | undefined} */
function asyncIteratorOf(value) {
  try {
    return value?.[Symbol.asyncIterator]?.()
  } catch {
    // A hostile value that came back as it was.
    return undefined
  }
}

/** @param {Promise<unknown>} promise @param {number} milliseconds */
async function endsInTime(promise, milliseconds) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
