// @ts-check
/**
 * A process that writes as many changes as it is told on a line of its input, again and again until its input ends. Tells
 * its parent every change it has committed, one line of JSON each.
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { randomFrom } from '../random.mjs'
import { moment, openMarks } from './marks.mjs'

/**
 * `count`: how often the record was written; the feed must keep this order. `at`: when the commit was acknowledged.
 * @typedef {{ key: string, kind: 'put' | 'delete', revision: string, count: number }} Written
 * @typedef {Written & { at: number }} Commit
 * @typedef {{ backend: import('../backends.mjs').BackendDescription, seed: number, name: string }} WriterArgument
 */

/** Records that all processes write to; few, so that they meet. */
const SHARED = 20

/** @type {WriterArgument} */
const { backend, seed, name } = JSON.parse(process.argv[2] ?? '{}')
const random = randomFrom(seed)
const { marks, store } = await openMarks(backend)
/** Records of this process alone, to be removed. @type {string[]} */
const own = []
let created = 0

writeSync(1, 'ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  for (let remaining = Number(line); remaining > 0; ) {
    const written = await writeSome(remaining)
    const at = moment()
    for (const change of written) writeSync(1, `${JSON.stringify({ ...change, at })}\n`)
    remaining -= written.length
  }
}
await store.close()

/** @param {number} most @returns {Promise<Written[]>} */
async function writeSome(most) {
  const choice = random()
  const victim = choice < 0.1 ? own.shift() : undefined
  if (victim !== undefined) return store.transaction(async (tx) => [await remove(tx, victim)])
  if (choice < 0.3) {
    const key = `${name}-${created++}`
    own.push(key)
    return store.transaction(async (tx) => [await raise(tx, key)])
  }
  const size = choice < 0.5 ? Math.min(most, 3) : 1
  const first = Math.floor(random() * SHARED)
  return store.transaction(async (tx) => {
    /** @type {Written[]} */
    const written = []
    for (let index = 0; index < size; index++) written.push(await raise(tx, `shared-${(first + index * 7) % SHARED}`))
    return written
  })
}

/**
 * @param {import('@minions/core/storage').StoreAccess} tx
 * @param {string} key
 * @returns {Promise<Written>}
 */
async function raise(tx, key) {
  const count = ((await tx.get(marks, key))?.count ?? 0) + 1
  return { key, kind: 'put', revision: await tx.put(marks, { id: key, count }), count }
}

/**
 * @param {import('@minions/core/storage').StoreAccess} tx
 * @param {string} key
 * @returns {Promise<Written>}
 */
async function remove(tx, key) {
  const found = await tx.getRevised(marks, key)
  if (!found) throw new Error(`${key} is lost`)
  await tx.delete(marks, key)
  return { key, kind: 'delete', revision: found.revision, count: found.record.count + 1 }
}
