// @ts-check
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadCore, makeBackend } from './backends.mjs'
import { randomFrom } from './random.mjs'
import { verifyStore } from './verify.mjs'

/** @typedef {import('./writer.mjs').Acknowledged} Acknowledged */

/**
 * @typedef {object} KillOptions
 * @property {import('./backends.mjs').BackendDescription} backend
 * @property {number} kills how many processes are killed in all
 * @property {number} [writers] how many write at the same time; 4 unless given
 * @property {number} seed
 * @property {number} [longest] milliseconds after which the last one is killed; 250 unless given
 * @property {boolean} [tolerant] writers go on after errors of the store
 * @property {boolean} [jumpingClock] clocks of writers jump
 * @property {() => Promise<void>} [disturb] called again and again while they write
 * @property {() => Promise<void>} [settle] waits until a server has noticed that the killed processes are gone
 * @property {(done: number) => void} [onProgress]
 */

const writerFile = fileURLToPath(new URL('./writer.mjs', import.meta.url))

/**
 * Starts processes that write to one store, kills each at a random moment, and checks after every round that all that
 * was acknowledged is there and that nothing is there by halves.
 * @param {KillOptions} options
 * @returns {Promise<{ kills: number, acknowledged: number }>}
 */
export async function killRounds(options) {
  const { backend, kills, writers = 4, seed, longest = 250, settle, onProgress } = options
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
        },
        delay: random() * longest,
      }),
    )
    for (const facts of await disturbed(Promise.all(round), options.disturb)) acknowledged.push(...facts)
    done += round.length
    await settle?.()
    const store = await Minions.open({ storage: await makeBackend(backend) })
    try {
      await verifyStore(store, { acknowledged, counterId: counter.id, kills: done, seed })
    } finally {
      await store.close()
    }
    onProgress?.(done)
  }
  return { kills: done, acknowledged: acknowledged.length }
}

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
 * @param {{ argument: import('./writer.mjs').WriterArgument, delay: number }} options
 * @returns {Promise<Acknowledged[]>} what the process acknowledged before it was killed
 */
async function runAndKill({ argument, delay }) {
  const child = spawn(process.execPath, [writerFile, JSON.stringify(argument)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  /** @type {Promise<number | null>} */
  const exited = new Promise((resolve) => child.on('close', resolve))
  /** @type {Promise<void>} */
  const ready = new Promise((resolve) => {
    child.stdout.on('data', (data) => {
      output += data
      if (output.includes('\n')) resolve()
    })
  })
  child.stderr.on('data', (data) => {
    errors += data
  })
  await Promise.race([ready, exited])
  await sleep(delay)
  child.kill('SIGKILL')
  const code = await exited
  if (code !== null) throw new Error(`A writer stopped by itself with exit code ${code}:\n${errors}`)
  // The last line may have been cut off in the middle; what it says was then never said.
  const lines = output.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line)).filter((fact) => fact.kind !== 'ready')
}
