// @ts-check
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Minions } from '@minions/core'
import { minionsCollection } from '@minions/core/storage'
import { thoughtType } from '@minions/core/types'
import { fsStorage } from '@minions/storage-fs'
import { benchCreateAtOnce } from '../create-at-once.mjs'
import { clientWith, inTurn, thoughtRecords, thoughts } from '../data.mjs'

/** @import { Bench } from '../area.mjs' */

const BATCH = 1_000
/** A disk hiccups more than the rest of a machine, and the first writes to a store make its folders. */
const DISK_ROUNDS = 45
const page = (/** @type {'todo' | 'active'} */ status) => ({ type: 'thought', status, limit: 50 })

/** @param {Bench} bench */
export default async function (bench) {
  const folder = mkdtempSync(join(tmpdir(), 'minions-bench-'))
  try {
    await opening(bench, join(folder, 'opening'))
    await writes(bench, folder)
    await reads(bench, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {Bench} bench @param {string} root */
async function opening(bench, root) {
  await (await clientWith(fsStorage({ root }), 10_000)).close()
  await bench.compare({
    name: 'opening 10,000 records',
    ours: async () => (await Minions.open({ storage: fsStorage({ root }) })).close(),
    peer: () => readAll(join(root, 'minions')),
    peerName: 'readFileSync of every file',
    bar: 1 / 3,
    from: 'every file has to be read, parsed and indexed: at most three times as long',
    rounds: 7,
  })
}

/** @param {Bench} bench @param {string} folder */
async function writes(bench, folder) {
  const minions = await Minions.open({ storage: fsStorage({ root: join(folder, 'writes') }) })
  minions.on('minion.created', () => {})
  const inputs = thoughts(BATCH)
  const nextInput = inTurn(inputs)
  const nextRecord = inTurn(thoughtRecords(BATCH))
  const raw = join(folder, 'raw')
  mkdirSync(raw)
  const peer = () => writeDurably(raw, JSON.stringify({ ...nextRecord(), id: randomUUID() }, null, 2))
  await bench.compare({
    name: 'durable write',
    ours: () => minions.storage.put(minionsCollection, { ...nextRecord(), id: randomUUID() }),
    peer,
    peerName: 'temporary file, fsync, rename',
    bar: 0.6,
    from: 'the usual way to write a file durably',
    rounds: DISK_ROUNDS,
  })
  await bench.compare({
    name: 'durable create through the client',
    ours: () => minions.create(thoughtType, nextInput()),
    peer,
    peerName: 'temporary file, fsync, rename',
    rounds: DISK_ROUNDS,
  })
  await benchCreateAtOnce(bench, {
    create: () => minions.create(thoughtType, nextInput()),
    commitOne: peer,
    peerName: 'temporary file, fsync, rename for each',
    rounds: DISK_ROUNDS,
  })
  await bench.compare({
    name: 'create 1,000 in one transaction',
    ours: () => minions.createMany(thoughtType, inputs),
    peer: async () => {
      for (const each of inputs) await minions.create(thoughtType, each)
    },
    peerName: 'the same, one by one',
    bar: 2,
    from: 'one flush instead of a thousand; files are written either way',
    rounds: 3,
  })
  await minions.close()
}

/** @param {Bench} bench @param {string} folder */
async function reads(bench, folder) {
  const sizes = [1_000, 20_000]
  /** @type {Map<number, Minions>} */
  const stores = new Map()
  for (const size of sizes) stores.set(size, await clientWith(fsStorage({ root: join(folder, `reads${size}`) }), size))
  const store = (/** @type {number} */ size) => /** @type {Minions} */ (stores.get(size))
  const from = 'twenty times as many files; what is read is in memory'
  const status = inTurn(/** @type {const} */ (['todo', 'active']))
  await bench.growth({
    name: 'get by id',
    sizes,
    setup: async (size) => {
      const { items } = await store(size).find({ limit: 500 })
      const next = inTurn(items)
      return () => store(size).get(next().id)
    },
    bar: 2,
    from,
  })
  await bench.growth({
    name: 'filtered, ordered page of 50',
    sizes,
    setup: (size) => () => store(size).find(page(status())),
    bar: 2,
    from,
  })
  await bench.growth({
    name: 'selective two-word search',
    sizes,
    setup: (size) => {
      const next = inTurn(Array.from({ length: 500 }, (_, index) => size - 1 - index))
      return () => {
        const number = next()
        return store(size).search(`number${number} batch${number % 1000}`)
      }
    },
    bar: 2,
    from,
  })
  for (const minions of stores.values()) await minions.close()
}

/** @param {string} folder */
function readAll(folder) {
  let bytes = 0
  for (const shard of readdirSync(folder)) {
    for (const name of readdirSync(join(folder, shard))) bytes += readFileSync(join(folder, shard, name)).length
  }
  return bytes
}

/** @param {string} folder @param {string} text */
function writeDurably(folder, text) {
  const temporary = join(folder, 'temporary')
  const file = openSync(temporary, 'w')
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
  renameSync(temporary, join(folder, `${randomUUID()}.json`))
}
