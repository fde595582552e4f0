// @ts-check
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { faults, takeOvers } from './faults.mjs'
import { missionsUnderFaults } from './missions.mjs'
import { storeProof } from './results.mjs'
import { pickupTimes, secondsFor } from './speed.mjs'
import { bullmqStore, postgresStore, sqliteStore } from './stores.mjs'

/** @import { ProofStore } from './stores.mjs' */
/** @import { ProofRow } from './results.mjs' */

const usage = `Proves what workers on the store promise, and writes tools/proof/RESULTS.md.

  npm run proof -- workers                 everything, at full size: about half an hour
  npm run proof -- workers --scale 0.1     the same with a tenth of the jobs and kills
  npm run proof -- workers faults          those whose name contains "faults"
  npm run proof -- workers --on SQLite      only on PostgreSQL, SQLite, or "SQLite, BullMQ"
  npm run proof -- workers --seed 42       the same faults again
  npm run proof -- workers --minutes 5     faults for at most so long; 30 minutes unless given

PostgreSQL takes part when MINIONS_TEST_POSTGRES_URL names a server, and BullMQ where the program redis-server is installed. Ratios count: other programs slow all sides down.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    on: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const [area, ...wanted] = positionals
const scale = Number(values.scale ?? 1)
const seed = Number(values.seed ?? 1)
const minutes = Number(values.minutes ?? 30)
if (values.help || area !== 'workers' || !(scale > 0) || !(minutes > 0) || !Number.isInteger(seed)) {
  console.log(usage)
  process.exit(values.help ? 0 : 2)
}

/** @param {number} count */
const scaled = (count) => Math.max(1, Math.round(count * scale))

/** @type {Record<string, (store: ProofStore) => Promise<Omit<ProofRow, 'store' | 'load'>[]>>} */
const proofs = {
  async tasks(store) {
    const jobs = scaled(1000)
    const one = await secondsFor(store, { jobs, ms: 100, workers: 1, concurrency: 1 })
    const four = await secondsFor(store, { jobs, ms: 100, workers: 4, concurrency: 1 })
    const what = `${jobs} tasks of 100 ms by 4 workers, compared with 1`
    return [
      {
        what,
        value: one / four,
        unit: '×',
        bar: 3.5,
        better: 'more',
        note: `${one.toFixed(1)} s, ${four.toFixed(1)} s`,
      },
    ]
  },
  async pickup(store) {
    const times = await pickupTimes(store, scaled(500))
    const at = (/** @type {number} */ share) => times[Math.floor(times.length * share)] ?? 0
    const bar = { PostgreSQL: 10, 'SQLite, BullMQ': 3 }[store.name] ?? 100
    const note = `p90 ${at(0.9)} ms, p99 ${at(0.99)} ms`
    return [
      {
        what: `pickup by an idle worker, p50 of ${times.length}`,
        value: at(0.5),
        unit: 'ms',
        bar,
        better: 'less',
        note,
      },
    ]
  },
  async faults(store) {
    const seen = await faults(store, { kills: scaled(200), seed, minutes })
    const note = `${faultsText(seen)}, clocks an hour apart; ${seen.redelivered} jobs begun again, none lost, none committed twice, every effect under one key`
    return [{ what: `${seen.jobs} jobs while workers die`, value: seen.killed, unit: 'kills', note }]
  },
  async missions(store) {
    const seen = await missionsUnderFaults(store, { missions: scaled(20), kills: scaled(100), seed })
    const note = `${faultsText(seen)}, clocks an hour apart; all completed, with the artifacts that they have without faults`
    return [{ what: `${seen.missions} missions while workers die`, value: seen.killed, unit: 'kills', note }]
  },
  async takeover(store) {
    const { leaseMs, took } = await takeOvers(store, scaled(20))
    const worst = took.at(-1) ?? 0
    return [
      {
        what: `take-over after a kill, the slowest of ${took.length}, with a lease of ${leaseMs} ms`,
        value: worst,
        unit: 'ms',
        bar: leaseMs + 1000,
        better: 'less',
      },
    ]
  },
}

for (const workers of [1, 2, 4, 8]) {
  proofs[`executions-${workers}`] = async (store) => {
    const jobs = scaled(10_000)
    const seconds = await secondsFor(store, { jobs, ms: 20, workers, concurrency: 1 })
    const what = (/** @type {number} */ by) =>
      `${jobs} executions of 20 ms by ${by} worker${by === 1 ? '' : 's'}, one at a time each`
    const base = workers === 1 ? {} : { base: what(1) }
    return [{ what: what(workers), value: jobs / seconds, unit: 'a second', ...base, note: `${seconds.toFixed(1)} s` }]
  }
}

/** @param {import('./faults.mjs').FaultCounts} seen */
function faultsText({ stopped, cut, lost }) {
  const more = [cut > 0 ? `${cut} connections cut` : '', lost > 0 ? `Redis emptied or restarted ${lost} times` : '']
  return [`${stopped} stopped for longer than their lease`, ...more.filter(Boolean)].join(', ')
}

for (const [name, create] of Object.entries({
  PostgreSQL: postgresStore,
  SQLite: sqliteStore,
  'SQLite, BullMQ': bullmqStore,
})) {
  for (const [proof, run] of Object.entries(proofs)) {
    if (wanted.length > 0 && !wanted.some((word) => proof.includes(word))) continue
    if (values.on !== undefined && values.on !== name) continue
    const store = await create()
    if (store === undefined) {
      console.log(`${name}: left out, its server cannot be reached or started`)
      break
    }
    try {
      for (const row of await run(store)) {
        const whole = { ...row, store: store.name, load: Math.round(loadavg()[0] ?? 0) }
        storeProof([/** @type {ProofRow} */ (whole)])
        console.log(
          `${store.name}: ${row.what}: ${row.value.toFixed(1)} ${row.unit}${row.note ? ` (${row.note})` : ''}`,
        )
      }
    } finally {
      await store.remove()
    }
  }
}
