// @ts-check
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadCore, makeBackend } from './backends.mjs'
import { randomFrom } from './random.mjs'
import { spread } from './results.mjs'
import { verifyStore } from './verify.mjs'

/** @typedef {import('./writer.mjs').Acknowledged} Acknowledged */

/**
 * @typedef {object} KillOptions
 * @property {import('./backends.mjs').BackendDescription} backend
 * @property {number} kills how many processes are killed in all
 * @property {number} [writers] how many write at the same time; 4 unless given
 * @property {number} seed
 * @property {number} [mostAcknowledged] the most writes a process has acknowledged when it is killed; 400 unless given
 * @property {number} [callers] how many write at the same time in each process; 1 unless given
 * @property {boolean} [tolerant] writers go on after errors of the store
 * @property {boolean} [jumpingClock] clocks of writers jump
 * @property {() => Promise<void>} [disturb] called again and again while they write
 * @property {() => Promise<void>} [settle] waits until a server has noticed that the killed processes are gone
 * @property {(done: number) => void} [onProgress]
 */

/** Most milliseconds from the last write that is waited for until the kill, which so falls anywhere in what follows. */
const longestDelay = 20

/** Milliseconds after which a process is killed that does not get that far, such as one on a full disk. */
const patience = 30_000

const writerFile = fileURLToPath(new URL('./writer.mjs', import.meta.url))

/**
 * Starts processes that write to one store, kills each after a random number of acknowledged writes, and checks after
 * every round that every acknowledged write survived and that nothing is half applied.
 * @param {KillOptions} options
 * @returns {Promise<import('./results.mjs').Outcome>}
 */
export async function killRounds(options) {
  const { beforeKill, ...outcome } = await killAll(options)
  return { ...outcome, beforeKill: spread(beforeKill) }
}

/**
 * The same on one new store after another, so that checking a store does not take longer and longer.
 * @param {Omit<KillOptions, 'backend'>} options
 * @param {number} each kills for each store
 * @param {(run: (backend: KillOptions['backend']) => Promise<void>) => Promise<void>} onNewStore
 * @returns {Promise<import('./results.mjs').Outcome>}
 */
export async function killRoundsOnNewStores(options, each, onNewStore) {
  const outcome = { kills: 0, acknowledged: 0, beforeKill: /** @type {number[]} */ ([]) }
  while (outcome.kills < options.kills) {
    const [done, kills] = [outcome.kills, Math.min(each, options.kills - outcome.kills)]
    const onProgress = (/** @type {number} */ now) => options.onProgress?.(done + now)
    await onNewStore(async (backend) => {
      const part = await killAll({ ...options, backend, kills, seed: options.seed + done, onProgress })
      outcome.kills += part.kills
      outcome.acknowledged += part.acknowledged
      outcome.beforeKill.push(...part.beforeKill)
    })
  }
  return { ...outcome, beforeKill: spread(outcome.beforeKill) }
}

/** @param {KillOptions} options */
async function killAll(options) {
  const { backend, kills, writers = 4, seed, mostAcknowledged = 400, settle, onProgress } = options
  const random = randomFrom(seed)
  const { Minions } = await loadCore()
  const first = await Minions.open({ storage: await makeBackend(backend) })
  const counter = await first.create('file', {
    title: 'counter',
    fields: { filename: 'c', fileUrl: 'http://c.example', fileSize: 0 },
  })
  await first.close()
  /** @type {Acknowledged[]} */
  const acknowledged = []
  /** @type {number[]} */
  const beforeKill = []
  let done = 0
  while (done < kills) {
    const round = Array.from({ length: Math.min(writers, kills - done) }, (_, index) =>
      runAndKill({
        argument: {
          backend,
          seed: Math.floor(random() * 2 ** 31),
          name: `w${done + index}`,
          counterId: counter.id,
          tolerant: options.tolerant ?? false,
          jumpingClock: options.jumpingClock ?? false,
          callers: options.callers ?? 1,
        },
        writes: writesBeforeKill(random, mostAcknowledged),
        delay: random() * longestDelay,
      }),
    )
    for (const facts of await disturbed(everyOne(round), options.disturb)) {
      acknowledged.push(...facts)
      beforeKill.push(facts.filter(isWrite).length)
    }
    done += round.length
    await settle?.()
    const store = await Minions.open({ storage: await makeBackend(backend) })
    try {
      await verifyStore(store, {
        acknowledged,
        counterId: counter.id,
        unacknowledged: done * (options.callers ?? 1),
        seed,
      })
    } finally {
      await store.close()
    }
    onProgress?.(done)
  }
  return { kills: done, acknowledged: acknowledged.filter(isWrite).length, beforeKill }
}

/**
 * What all resolve to, once none is under way any more: a process that is still writing would hide why another failed.
 * @template T
 * @param {readonly Promise<T>[]} promises
 */
async function everyOne(promises) {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** @param {Acknowledged} fact */
const isWrite = ({ kind }) => kind !== 'failed' && kind !== 'removing'

/**
 * How many writes a process acknowledges before it is killed. Every order of magnitude is as likely as the others, so
 * young processes are killed as well as those that have written for long.
 * @param {() => number} random
 * @param {number} most
 */
export const writesBeforeKill = (random, most) => Math.floor((most + 1) ** random()) - 1

/**
 * Waits for something while disturbing it.
 * @template T
 * @param {Promise<T>} work
 * @param {(() => Promise<void>) | undefined} disturb
 * @returns {Promise<T>}
 */
async function disturbed(work, disturb) {
  if (!disturb) return work
  let working = true
  const end = () => {
    working = false
  }
  work.then(end, end)
  while (working) {
    await disturb()
    await sleep(10)
  }
  return work
}

/**
 * @param {{ argument: import('./writer.mjs').WriterArgument, writes: number, delay: number }} options
 * @returns {Promise<Acknowledged[]>} what the process acknowledged before it was killed
 */
async function runAndKill({ argument, writes, delay }) {
  const child = spawn(process.execPath, [writerFile, JSON.stringify(argument)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (data) => {
    errors += data
  })
  /** @type {Acknowledged[]} */
  const facts = []
  /** @type {Promise<void>} */
  const written = new Promise((resolve) => {
    let written = 0
    // A line is written in one go, so a kill does not cut it.
    createInterface({ input: child.stdout }).on('line', (line) => {
      /** @type {Acknowledged | { kind: 'ready' }} */
      const fact = JSON.parse(line)
      if (fact.kind !== 'ready') {
        facts.push(fact)
        written += Number(isWrite(fact))
      }
      if (written >= writes) resolve()
    })
  })
  /** @type {Promise<number | null>} */
  const exited = new Promise((resolve) => child.on('close', resolve))
  await Promise.race([written, exited, sleep(patience, undefined, { ref: false })])
  await sleep(delay)
  child.kill('SIGKILL')
  const code = await exited
  if (code !== null) throw new Error(`A writer stopped by itself with exit code ${code}:\n${errors}`)
  return facts
}
