// @ts-check
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { killRounds } from './kill-rounds.mjs'
import { randomFrom } from './random.mjs'

/**
 * @typedef {{ seed: number, kills: number, onProgress: (done: number) => void }} Budget
 * @typedef {import('./results.mjs').Outcome} Outcome
 * @typedef {{ name: string, run: (budget: Budget) => Promise<Outcome | string> }} Scenario a text says why it was skipped
 */

/** @param {string} folder @returns {import('./backends.mjs').BackendDescription} */
const sqlite = (folder) => ({
  package: 'storage-sqlite',
  factory: 'sqliteStorage',
  options: { path: join(folder, 's.db') },
})

/** @param {string} folder @returns {import('./backends.mjs').BackendDescription} */
const files = (folder) => ({ package: 'storage-fs', factory: 'fsStorage', options: { root: join(folder, 'files') } })

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
        name: `${name}: writers killed while their clocks jump`,
        run: (/** @type {Budget} */ budget) =>
          inFolder((folder) => killRounds({ ...budget, backend: describe(folder), jumpingClock: true })),
      },
      {
        name: `${name}: writers killed on a disk that is full now and then`,
        run: (/** @type {Budget} */ budget) => onSmallDisk(budget, describe),
      },
    ]
  }),
  { name: 'storage-postgres: clients killed, four at a time', run: (budget) => onPostgres(budget, false) },
  { name: 'storage-postgres: clients killed while connections are cut', run: (budget) => onPostgres(budget, true) },
]

/** @param {(folder: string) => Promise<Outcome>} work */
async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'minions-torture-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
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

/** @param {Budget} budget @param {boolean} cut whether connections are cut meanwhile */
async function onPostgres(budget, cut) {
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
  const disturb = async () => {
    const [victim] = (await sessions()).sort(() => random() - 0.5)
    if (victim) await admin.query('SELECT pg_terminate_backend($1)', [victim.pid])
  }
  const settle = async () => {
    while ((await sessions()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  try {
    return await killRounds({
      ...budget,
      backend: {
        package: 'storage-postgres',
        factory: 'postgresStorage',
        options: { connectionString: connectionString.href, schema },
      },
      tolerant: cut,
      settle,
      ...(cut && { disturb }),
    })
  } finally {
    await admin.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
    await admin.end()
  }
}
