// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { randomFrom } from '../random.mjs'
import { percentiles } from '../results.mjs'
import { nameOf, verifyFeed } from './verify-feed.mjs'

/** @typedef {import('./writer.mjs').Commit} Commit */
/** @typedef {import('./reader.mjs').Heard} Heard */
/** @typedef {Heard & { isLive: boolean, liveSince: number }} Delivered */

/**
 * @typedef {object} FeedOptions
 * @property {import('../backends.mjs').BackendDescription} backend
 * @property {number} changes how many are written in all
 * @property {number} kills how often the reader is killed
 * @property {number} [writers] how many write at the same time; 4 unless given
 * @property {number} seed
 * @property {(done: number) => void} [onProgress]
 */

/** Milliseconds that a reader which has heard everything is given to hear something twice. */
const AFTERWARDS = 300

/** Most milliseconds between the change after which a reader is killed and the kill. */
const LONGEST_DELAY = 20

/** Milliseconds for which no change may come before the rounds are given up. */
const PATIENCE = 120_000

const fileOf = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Lets processes write to one store while another follows its change feed, is killed and goes on with its cursor. Fails
 * unless it heard every change once, in the order of each record.
 * @param {FeedOptions} options
 * @returns {Promise<import('../results.mjs').FeedOutcome>}
 */
export async function feedRounds({ backend, changes, kills, writers: count = 4, seed, onProgress }) {
  const random = randomFrom(seed)
  /** @type {Map<string, Commit>} */
  const written = new Map()
  /** @type {Delivered[]} */
  const heard = []
  const writers = Array.from({ length: count }, (_, index) =>
    startProcess('writer.mjs', { backend, seed: seed + index, name: `w${index}` }, (commit) =>
      written.set(nameOf(commit), commit),
    ),
  )
  const broken = Promise.race(writers.map(({ ended }) => ended.then(requireSuccess)))
  broken.catch(() => {})
  try {
    await Promise.race([broken, Promise.all(writers.map(({ ready }) => ready))])
    const quota = allotments(changes, count, kills + 1)
    for (let round = 0; round <= kills; round++) {
      const grants = quota[round] ?? []
      const grant = (/** @type {(most: number) => number} */ share) =>
        grants.forEach((most, index) => void writers[index]?.child.stdin.write(`${share(most)}\n`))
      const before = heard.length
      const reader = startReader(backend, heard, broken)
      // Half is written while the reader starts, and waits for it; the other half while it listens.
      grant((most) => Math.floor(most / 2))
      const due = before + Math.floor(random() * grants.reduce((sum, most) => sum + most, 0))
      const delivered = round === kills ? () => false : () => heard.length >= due
      await reader.until(() => reader.isLive || delivered())
      grant((most) => Math.ceil(most / 2))
      if (round === kills) {
        for (const writer of writers) writer.child.stdin.end()
        await Promise.all(writers.map(({ ended }) => ended))
        await reader.until(() => heard.length >= changes)
        await sleep(AFTERWARDS)
      } else {
        await reader.until(delivered)
        await sleep(random() * LONGEST_DELAY)
      }
      await reader.kill()
      onProgress?.(Math.min(round + 1, kills))
    }
  } finally {
    for (const { child } of writers) child.kill('SIGKILL')
  }
  verifyFeed([...written.values()], heard, seed)
  const delays = heard.flatMap((change) => {
    const at = written.get(nameOf(change))?.at ?? 0
    // What was committed before the reader listened has waited for the reader, not for the feed.
    return change.isLive && at > change.liveSince ? [Math.max(0, change.at - at)] : []
  })
  return { kills, changes: heard.length, ...percentiles(delays) }
}

/** @param {number | NodeJS.Signals} code @returns {Promise<never>} */
async function requireSuccess(code) {
  if (code !== 0) throw new Error(`A writer stopped by itself: ${code}.`)
  return new Promise(() => {})
}

/**
 * How many changes each writer makes in each round.
 * @param {number} changes
 * @param {number} writers
 * @param {number} rounds
 */
function allotments(changes, writers, rounds) {
  const upTo = (/** @type {number} */ part) => Math.floor((changes * part) / (writers * rounds))
  return Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: writers }, (_, writer) => {
      const part = round * writers + writer
      return upTo(part + 1) - upTo(part)
    }),
  )
}

/**
 * Starts the reader behind what was heard last.
 * @param {import('../backends.mjs').BackendDescription} backend
 * @param {Delivered[]} heard
 * @param {Promise<never>} broken rejects when a writer fails
 */
function startReader(backend, heard, broken) {
  let liveSince = Number.POSITIVE_INFINITY
  const since = heard.at(-1)?.cursor ?? 'start'
  /** @type {Set<() => void>} */
  const waiting = new Set()
  const { child, ended } = startProcess('reader.mjs', { backend, since }, (line) => {
    if ('liveSince' in line) liveSince = line.liveSince
    else heard.push({ ...line, isLive: Number.isFinite(liveSince), liveSince })
    for (const look of waiting) look()
  })
  return {
    get isLive() {
      return Number.isFinite(liveSince)
    },
    /** @param {() => boolean} isReached */
    async until(isReached) {
      /** @type {Promise<void>} */
      const reached = new Promise((resolve) => {
        const look = () => {
          if (isReached()) resolve()
        }
        waiting.add(look)
        look()
      })
      const gaveUp = new AbortController()
      const tooLate = sleep(PATIENCE, undefined, { signal: gaveUp.signal }).then(() => {
        throw new Error(`The reader heard nothing more for long, after ${heard.length} changes.`)
      })
      tooLate.catch(() => {})
      const stopped = ended.then((code) => Promise.reject(new Error(`The reader stopped by itself: ${code}.`)))
      try {
        await Promise.race([reached, stopped, broken, tooLate])
      } finally {
        gaveUp.abort()
        waiting.clear()
      }
    },
    async kill() {
      child.kill('SIGKILL')
      await ended.catch(() => {})
    },
  }
}

/**
 * Starts a program of this folder whose lines, after one that may say `ready`, are JSON.
 * @param {string} file
 * @param {object} argument
 * @param {(line: any) => void} onLine
 */
function startProcess(file, argument, onLine) {
  const child = spawn(process.execPath, [fileOf(file), JSON.stringify(argument)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  // Lines are read to the last before the process counts as ended.
  const ended = Promise.all([once(child, 'close'), once(lines, 'close')]).then(([[code, signal]]) => code ?? signal)
  const ready = once(lines, 'line')
  lines.on('line', (line) => {
    if (line !== 'ready') onLine(JSON.parse(line))
  })
  child.stdin.on('error', () => {})
  return { child, ended, ready }
}
