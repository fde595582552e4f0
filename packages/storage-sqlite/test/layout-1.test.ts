import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Minions } from '@minions/core'
import { collectionFromDeclaration, Store } from '@minions/core/storage'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Contents, verifyHostileNames, verifyMigrated } from '../../../tools/torture/old-store.mjs'
import { randomFrom } from '../../../tools/torture/random.mjs'
import { type StartedChild, startChild } from '../../../tools/torture/start-child.mjs'
import { sqliteStorage } from '../src/index.js'
import { makeOldStore } from './support/old-store.ts'

const COPIES = 500
const kills = Number(process.env.MINIONS_KILLS ?? 6)
const seed = Number(process.env.MINIONS_SEED ?? 20_261)

const root = mkdtempSync(join(tmpdir(), 'minions-layout-'))
const original = join(root, 'original.db')
let before: Contents
let count = 0

beforeAll(() => {
  before = makeOldStore(original, COPIES)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A copy of the old store, to be migrated. */
function copy(): string {
  const folder = join(root, String(count++))
  mkdirSync(folder)
  cpSync(original, join(folder, 'store.db'))
  return join(folder, 'store.db')
}

async function verify(path: string, added = 0): Promise<void> {
  const minions = await Minions.open({ storage: sqliteStorage({ path }) })
  try {
    await verifyMigrated(minions, before, { copies: COPIES, added })
  } finally {
    await minions.close()
  }
}

describe('a store of layout 1', () => {
  it('is migrated when it is opened: records, revisions, lists, words and references', async () => {
    const path = copy()
    await verify(path)
    await verify(path)
  })

  it('comes out as a new one is made', async () => {
    const [path, fresh] = [copy(), join(root, 'fresh.db')]
    const migrated = await Minions.open({ storage: sqliteStorage({ path }) })
    const catalogue = await (migrated.storage as Store).catalogue()
    await migrated.close()
    const created = await Store.open(sqliteStorage({ path: fresh }), catalogue.map(collectionFromDeclaration))
    await created.close()
    expect(schemaOf(path)).toEqual(schemaOf(fresh))
  })

  it('keeps the values of columns with hostile names, of collections that no one declares', async () => {
    const path = copy()
    await (await Minions.open({ storage: sqliteStorage({ path }) })).close()
    const store = await Store.open(sqliteStorage({ path }), [])
    await verifyHostileNames(store)
    await store.close()
  })

  it(`loses nothing when ${kills} processes die on the way, half of them before a statement (seed ${seed})`, async () => {
    const statements = Number(await (await openInChild(copy())).line(1))
    const random = randomFrom(seed)
    let interrupted = 0
    for (let kill = 0; kill < kills; kill++) {
      const path = copy()
      const dieAt = kill % 2 === 0 ? 1 + Math.floor(random() * statements) : 0
      const { child, ended } = await openInChild(path, dieAt)
      if (dieAt === 0) {
        await sleep(random() * 150)
        child.kill('SIGKILL')
      }
      const end = await ended
      if (dieAt > 0) expect(end).toBe('SIGKILL')
      const [layout] = read(path, 'PRAGMA user_version')
      if (layout === 1) interrupted += 1
      await verify(path, titlesBy(path))
    }
    expect(interrupted).toBeGreaterThan(0)
  }, 600_000)

  it('is migrated once when four processes open it at the same moment', async () => {
    const path = copy()
    const processes = Array.from({ length: 4 }, () => startChild(program, path))
    await Promise.all(processes.map(({ ready }) => ready))
    for (const { begin } of processes) begin()
    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
    await verify(path, 4)
  }, 60_000)
})

/** How many minions the processes have added. */
function titlesBy(path: string): number {
  const [layout] = read(path, 'PRAGMA user_version')
  return layout === 1 ? 0 : (read(path, "SELECT count(*) FROM minions WHERE title LIKE 'by %'")[0] as number)
}

function read(path: string, sql: string): unknown[] {
  const database = new Database(path)
  try {
    return database.prepare(sql).pluck().all()
  } finally {
    database.close()
  }
}

/** Tables and indexes as they are declared; how names are quoted does not count. */
function schemaOf(path: string): unknown[] {
  return read(path, "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY name").map(
    (entry) => String(entry).replaceAll("'", '"'),
  )
}

const program = fileURLToPath(new URL('./support/open.mjs', import.meta.url))

/** Opens the store in a process of its own, as soon as that is ready. */
async function openInChild(path: string, dieAt = 0): Promise<StartedChild> {
  const started = startChild(program, path, String(dieAt))
  await started.ready
  started.begin()
  return started
}
