// @ts-check
/**
 * A process that writes until it is killed. Whatever is committed it tells its parent, one line of JSON each, before it
 * goes on, so the parent knows exactly what may never be lost.
 */
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadCore, makeBackend } from './backends.mjs'
import { randomFrom } from './random.mjs'

/**
 * `failed`: a typed error; whether the write happened is not known.
 * @typedef {{ kind: 'failed' } | { kind: 'single', id: string } | { kind: 'group', group: string, size: number } | { kind: 'count' } | { kind: 'removing' | 'gone', id: string }} Acknowledged
 * @typedef {object} WriterArgument
 * @property {import('./backends.mjs').BackendDescription} backend
 * @property {number} seed
 * @property {string} name
 * @property {string} counterId
 * @property {boolean} [tolerant] go on after an error of the store, as a program that tries again would
 * @property {boolean} [jumpingClock] the clock jumps back and forth by up to a day
 * @property {number} [callers] how many write at the same time, so that their writes share commits; 1 unless given
 */

/** @type {WriterArgument} */
const argument = JSON.parse(process.argv[2] ?? '{}')
const { backend, seed, name, counterId, tolerant = false, jumpingClock = false, callers = 1 } = argument
const random = randomFrom(seed)
const { isMinionsError, Minions } = await loadCore()
const jump = () => Date.now() + Math.floor((random() - 0.5) * 2 * 86_400_000)
const minions = await open()
/** @type {string[]} */
const own = []

/** @param {Acknowledged | { kind: 'ready' }} fact */
const tell = (fact) => writeSync(1, `${JSON.stringify(fact)}\n`)

let step = 0
tell({ kind: 'ready' })
await Promise.all(Array.from({ length: callers }, writeForever))

async function writeForever() {
  for (;;) {
    try {
      await writeSomething(step++)
    } catch (error) {
      await bear(error)
      tell({ kind: 'failed' })
    }
  }
}

/** @returns {Promise<import('@minions/core').Minions>} */
async function open() {
  try {
    return await Minions.open({ storage: await makeBackend(backend), clock: jumpingClock ? jump : Date.now })
  } catch (error) {
    await bear(error)
    return open()
  }
}

/** Waits a little after a store that was busy, or after any error of it if writers are to go on then. @param {unknown} error */
async function bear(error) {
  const code = isMinionsError(error) ? error.code : ''
  if (code !== 'STORAGE_BUSY' && !(tolerant && code.startsWith('STORAGE_'))) throw error
  await sleep(5)
}

/** @param {number} step */
async function writeSomething(step) {
  const choice = random()
  if (choice < 0.3) await writeOne(step)
  else if (choice < 0.6) await writeGroup(step)
  else if (choice < 0.85) await count()
  else await removeOne()
}

/** @param {number} step */
async function writeOne(step) {
  const { id } = await minions.create('note', {
    title: `${name} ${step}`,
    fields: { content: 'x'.repeat(1 + random() * 2000) },
  })
  own.push(id)
  tell({ kind: 'single', id })
}

/**
 * Several minions, linked, in one transaction: all of them or none.
 * @param {number} step
 */
async function writeGroup(step) {
  const group = `${name}-${step}`
  const size = 2 + Math.floor(random() * 4)
  await minions.transaction(async (tx) => {
    const members = await tx.createMany(
      'thought',
      Array.from({ length: size }, (_, index) => ({
        title: `${group} ${index}`,
        tags: [group],
        fields: { content: group },
      })),
    )
    for (const [index, member] of members.entries()) {
      const next = members[(index + 1) % size]
      if (next) await tx.link({ sourceId: member.id, targetId: next.id, type: 'relates_to', metadata: { group } })
    }
  })
  tell({ kind: 'group', group, size })
}

/** One counter that all processes raise: an update that is lost shows in the sum. */
async function count() {
  await minions.transaction(async (tx) => {
    const counter = await tx.get(counterId)
    await tx.update(counterId, { fields: { fileSize: Number(counter?.fields.fileSize ?? 0) + 1 } })
  })
  tell({ kind: 'count' })
}

async function removeOne() {
  const id = own.pop()
  if (id === undefined) return
  tell({ kind: 'removing', id })
  await minions.hardDelete(id)
  tell({ kind: 'gone', id })
}
