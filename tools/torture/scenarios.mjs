// @ts-check
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { feedRounds } from './feed/feed-rounds.mjs'
import { killRounds, killRoundsOnNewStores } from './kill-rounds.mjs'
import { randomFrom } from './random.mjs'
import { servedRounds } from './server/served-rounds.mjs'

/**
 * @typedef {{ seed: number, kills: number, onProgress: (done: number) => void }} Budget
 * @typedef {import('./results.mjs').Outcome | import('./results.mjs').FeedOutcome} Outcome
 * @typedef {object} Scenario
 * @property {string} name
 * @property {number} [kills] how many processes are killed unless the command line says so; 200 unless given
 * @property {(budget: Budget) => Promise<Outcome | string>} run a text says why it was skipped
 */

/** Changes that a killed reader of a change feed must not miss. */
const FEED_CHANGES = 10_000

/** Callers of a process that write at the same time, and how many processes of them are killed on each new store. */
const CALLERS = 16
const KILLS_OF_STORE = 100

/** Milliseconds that a process waits for the others, however busy the machine is: what is looked for here is loss. */
const busyTimeout = 60_000

/** The same for PostgreSQL: how often a transaction that collided with others is tried again. */
const retries = 1000

/** @param {string} folder @returns {import('./backends.mjs').BackendDescription} */
const sqlite = (folder) => ({
  package: 'storage-sqlite',
  factory: 'sqliteStorage',
  options: { path: join(folder, 's.db'), busyTimeout },
})

/** @param {string} folder @returns {import('./backends.mjs').BackendDescription} */
const files = (folder) => ({
  package: 'storage-fs',
  factory: 'fsStorage',
  options: { root: join(folder, 'files'), busyTimeout },
})

/** Every way in which stores are maltreated. @type {Scenario[]} */
export const scenarios = [
  ...[sqlite, files].flatMap((describe) => {
    const { package: name } = describe('')
    return [
      {
        name: `${name}: writers killed, four at a time`,
        run: (/** @type {Budget} */ budget) =>
          inFolder((folder) => killRounds({ ...budget, backend: describe(folder) })),
      },
      {
        name: `${name}: processes of sixteen callers that share commits killed, four at a time`,
        run: (/** @type {Budget} */ budget) => sharingCommits(budget, describe),
      },
      {
        name: `${name}: writers killed while their clocks jump`,
        run: (/** @type {Budget} */ budget) =>
          inFolder((folder) => killRounds({ ...budget, backend: describe(folder), jumpingClock: true })),
      },
      {
        name: `${name}: writers killed on a disk that is full now and then`,
        run: (/** @type {Budget} */ budget) => onSmallDisk(budget, describe),
      },
      {
        name: `${name}: feed read by a process that is killed, while four write`,
        kills: 50,
        run: (/** @type {Budget} */ budget) =>
          inFolder((folder) => feedRounds({ ...budget, changes: FEED_CHANGES, backend: describe(folder) })),
      },
    ]
  }),
  { name: 'storage-postgres: clients killed, four at a time', run: (budget) => onPostgres(budget, killedOn(false)) },
  {
    name: 'storage-postgres: clients of sixteen callers killed, four at a time',
    run: (budget) => onPostgres(budget, killedOnNewSchemas),
  },
  {
    name: 'storage-postgres: clients killed while connections are cut',
    run: (budget) => onPostgres(budget, killedOn(true)),
  },
  {
    name: 'storage-postgres: feed read by a process that is killed, while four write',
    kills: 50,
    run: (budget) => onPostgres(budget, ({ backend }) => feedRounds({ ...budget, changes: FEED_CHANGES, backend })),
  },
  {
    name: 'server: `minions serve` on SQLite killed while a team writes and listens',
    kills: 50,
    run: (budget) => inFolder((home) => servedRounds({ ...budget, home, storage: `sqlite:${join(home, 'store.db')}` })),
  },
  {
    name: 'server: `minions serve` on PostgreSQL killed while a team writes and listens',
    kills: 50,
    run: (budget) => onPostgres(budget, servedOn(1)),
  },
  {
    name: 'server: two of `minions serve` on one PostgreSQL killed while a team writes and listens through both',
    kills: 50,
    run: (budget) => onPostgres(budget, servedOn(2)),
  },
]

/** @param {Budget} budget @param {(folder: string) => import('./backends.mjs').BackendDescription} describe */
function sharingCommits(budget, describe) {
  return killRoundsOnNewStores({ ...budget, callers: CALLERS }, KILLS_OF_STORE, (run) =>
    inFolder((folder) => run(describe(folder))),
  )
}

/** @template T @param {(folder: string) => Promise<T>} work */
async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'minions-torture-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** @param {Budget} budget @param {(folder: string) => import('./backends.mjs').BackendDescription} describe */
async function onSmallDisk(budget, describe) {
  const disk = mkdtempSync(join(tmpdir(), 'minions-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    rmSync(disk, { recursive: true })
    return 'this machine does not let us mount a small disk'
  }
  const random = randomFrom(budget.seed)
  const filler = join(disk, 'filler')
  const disturb = async () => {
    rmSync(filler, { force: true })
    if (random() < 0.5) return
    const { bavail, bsize } = statfsSync(disk)
    try {
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize)))
    } catch {
      // A writer took the last of it.
    }
  }
  try {
    const settle = async () => rmSync(filler, { force: true })
    // More writes would fill the disk for good.
    const options = { mostAcknowledged: 100, tolerant: true, disturb, settle }
    return await killRounds({ ...budget, ...options, backend: describe(disk) })
  } finally {
    // Also when a failed check has left files open, which is then what must be heard of.
    execFileSync('umount', ['--lazy', disk])
    rmSync(disk, { recursive: true })
  }
}

/**
 * A schema of its own on the server.
 * @typedef {object} PostgresTarget
 * @property {Budget} budget
 * @property {import('./backends.mjs').BackendDescription} backend
 * @property {string} url of the same store
 * @property {() => Promise<void>} cutOne cuts one connection
 * @property {() => Promise<void>} settle waits until the server has noticed that killed processes are gone
 * @property {() => Promise<void>} clear removes the schema
 */

/**
 * Kills writers.
 * @param {boolean} cut connections are cut meanwhile
 * @returns {(target: PostgresTarget) => Promise<Outcome>}
 */
function killedOn(cut) {
  return ({ budget, backend, cutOne, settle }) =>
    killRounds({ ...budget, backend, tolerant: cut, settle, ...(cut && { disturb: cutOne }) })
}

/** @param {PostgresTarget} target */
function killedOnNewSchemas({ budget, backend, settle, clear }) {
  return killRoundsOnNewStores({ ...budget, callers: CALLERS, settle }, KILLS_OF_STORE, async (run) => {
    await run(backend)
    await clear()
  })
}

/**
 * Kills servers.
 * @param {number} servers
 * @returns {(target: PostgresTarget) => Promise<Outcome>}
 */
function servedOn(servers) {
  return ({ budget, url }) => inFolder((home) => servedRounds({ ...budget, home, storage: url, servers }))
}

/** @param {Budget} budget @param {(target: PostgresTarget) => Promise<Outcome>} work */
async function onPostgres(budget, work) {
  const url = process.env.MINIONS_TEST_POSTGRES_URL
  if (!url) return 'MINIONS_TEST_POSTGRES_URL is not set'
  const schema = `torture_${process.pid}_${budget.seed}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const random = randomFrom(budget.seed)
  const application = `minions-${schema}`
  const connectionString = new URL(url)
  connectionString.searchParams.set('application_name', application)
  const sessions = () =>
    admin.query('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [application]).then(({ rows }) => rows)
  const cutOne = async () => {
    const [victim] = (await sessions()).sort(() => random() - 0.5)
    if (victim) await admin.query('SELECT pg_terminate_backend($1)', [victim.pid])
  }
  const settle = async () => {
    while ((await sessions()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const clear = async () => {
    await admin.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  }
  const backend = {
    package: 'storage-postgres',
    factory: 'postgresStorage',
    options: { connectionString: connectionString.href, schema, retries },
  }
  const storeUrl = new URL(url)
  storeUrl.searchParams.set('schema', schema)
  try {
    return await work({ budget, backend, url: storeUrl.href, cutOne, settle, clear })
  } finally {
    await clear()
    await admin.end()
  }
}
