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
import { Minions, minionsCollection, thoughtType } from '@minions/core'
import { fsStorage } from '@minions/storage-fs'
import { clientWith, thoughtRecords, thoughts } from '../data.mjs'

/** @import { Bench } from '../area.mjs' */

const BATCH = 1_000
/** A disk hiccups more than the rest of a machine, and the first writes to a store make its folders. */
const DISK_ROUNDS = 45
const page = { type: 'thought', status: /** @type {const} */ ('todo'), limit: 50 }

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
    rounds: 7,
    note: 'at least a third of the speed is at most three times as long',
  })
}

/** @param {Bench} bench @param {string} folder */
async function writes(bench, folder) {
  const minions = await Minions.open({ storage: fsStorage({ root: join(folder, 'writes') }) })
  minions.on('minion.created', () => {})
  const inputs = thoughts(BATCH)
  const [input] = inputs
  const [record] = thoughtRecords(1)
  if (!input || !record) throw new Error('there are inputs')
  const raw = join(folder, 'raw')
  mkdirSync(raw)
  const peer = () => writeDurably(raw, JSON.stringify({ ...record, id: randomUUID() }, null, 2))
  await bench.compare({
    name: 'durable write',
    ours: () => minions.storage.put(minionsCollection, { ...record, id: randomUUID() }),
    peer,
    peerName: 'temporary file, fsync, rename',
    bar: 0.6,
    rounds: DISK_ROUNDS,
  })
  await bench.compare({
    name: 'durable create through the client',
    ours: () => minions.create(thoughtType, input),
    peer,
    peerName: 'temporary file, fsync, rename',
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
  await bench.growth({
    name: 'get by id',
    sizes,
    setup: async (size) => {
      const { items } = await store(size).find({ limit: 1 })
      const id = items[0]?.id ?? ''
      return () => store(size).get(id)
    },
    bar: 2,
  })
  await bench.growth({
    name: 'filtered, ordered page of 50',
    sizes,
    setup: (size) => () => store(size).find(page),
    bar: 2,
  })
  await bench.growth({
    name: 'selective two-word search',
    sizes,
    setup: (size) => () => store(size).search(`number${size - 7} batch${(size - 7) % 1000}`),
    bar: 2,
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
