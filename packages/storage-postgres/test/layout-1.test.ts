import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Minions } from '@minions/core'
import { collectionFromDeclaration, Store } from '@minions/core/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Contents, verifyHostileNames, verifyMigrated } from '../../../tools/torture/old-store.mjs'
import { randomFrom } from '../../../tools/torture/random.mjs'
import { startChild } from '../../../tools/torture/start-child.mjs'
import { postgresStorage } from '../src/index.ts'
import { makeOldStore } from './support/old-store.ts'
import { createPostgres } from './support/postgres.ts'
import { execute, needsServer, serverUrl, type TestDatabase } from './support/server.ts'

const COPIES = 700
const kills = Number(process.env.MINIONS_KILLS ?? 6)
const seed = Number(process.env.MINIONS_SEED ?? 20_261)

let database: TestDatabase
beforeAll(async () => {
  database = await createPostgres()
})
afterAll(() => database.drop())

const backend = (schema: string) => postgresStorage({ connectionString: database.url, ...database.options, schema })

async function oldStore(): Promise<{ schema: string; before: Contents }> {
  const schema = `old ${randomUUID()}`
  return { schema, before: await makeOldStore(database.url, schema, COPIES) }
}

async function verify(schema: string, before: Contents, added = 0): Promise<void> {
  const minions = await Minions.open({ storage: backend(schema) })
  try {
    await verifyMigrated(minions, before, { copies: COPIES, added })
  } finally {
    await minions.close()
  }
}

describe('a store of layout 1', () => {
  it('is migrated when it is opened: records, revisions, lists, words and references', async () => {
    const { schema, before } = await oldStore()
    await verify(schema, before)
    await verify(schema, before)
  })

  it('comes out as a new one is made', async () => {
    const { schema } = await oldStore()
    const migrated = await Minions.open({ storage: backend(schema) })
    const catalogue = await (migrated.storage as Store).catalogue()
    await migrated.close()
    const fresh = `fresh ${randomUUID()}`
    await (await Store.open(backend(fresh), catalogue.map(collectionFromDeclaration))).close()
    const [ours, theirs] = [await schemaOf(schema), await schemaOf(fresh)]
    expect(ours.length).toBeGreaterThan(100)
    expect(ours).toEqual(theirs)
  })

  it('keeps the values of columns with hostile names, of collections that no one declares', async () => {
    const { schema } = await oldStore()
    await (await Minions.open({ storage: backend(schema) })).close()
    const store = await Store.open(backend(schema), [])
    await verifyHostileNames(store)
    await store.close()
  })
})

describe.skipIf(serverUrl === undefined)('processes that migrate a store of layout 1', needsServer, () => {
  const program = fileURLToPath(new URL('./support/open.mjs', import.meta.url))

  it(`lose nothing when ${kills} die on the way, half of them before a statement (seed ${seed})`, async () => {
    const random = randomFrom(seed)
    const start = async (schema: string, dieAt: number) => {
      const started = startChild(program, database.url, schema, String(dieAt))
      await started.ready
      started.begin()
      return started
    }
    const statements = Number(await (await start((await oldStore()).schema, 0)).line(1))
    let interrupted = 0
    for (let kill = 0; kill < kills; kill++) {
      const { schema, before } = await oldStore()
      const dieAt = kill % 2 === 0 ? 1 + Math.floor(random() * statements) : 0
      const { child, ended } = await start(schema, dieAt)
      if (dieAt === 0) {
        await sleep(random() * 400)
        child.kill('SIGKILL')
      }
      const end = await ended
      if (dieAt > 0) expect(end).toBe('SIGKILL')
      const [{ layout } = {}] = await execute(database.url, `SELECT min(layout) AS layout FROM "${schema}"._catalogue`)
      if (layout === 1) interrupted += 1
      await verify(schema, before, await addedTo(schema, layout))
      await execute(database.url, `DROP SCHEMA "${schema}" CASCADE`)
    }
    expect(interrupted).toBeGreaterThan(0)
  }, 600_000)

  it('do it once when four begin at the same moment', async () => {
    const { schema, before } = await oldStore()
    const processes = Array.from({ length: 4 }, () => startChild(program, database.url, schema))
    await Promise.all(processes.map(({ ready }) => ready))
    for (const { begin } of processes) begin()
    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
    await verify(schema, before, 4)
  }, 60_000)
})

/** How many minions the processes have added. */
async function addedTo(schema: string, layout: unknown): Promise<number> {
  if (layout === 1) return 0
  const [row] = await execute(
    database.url,
    `SELECT count(*)::int AS n FROM "${schema}".minions WHERE title LIKE 'by %'`,
  )
  return row?.n as number
}

/** Columns, indexes and constraints of a schema, without its name. */
async function schemaOf(schema: string): Promise<string[]> {
  const rows = await execute(
    database.url,
    `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(collation_name, '') AS part
       FROM information_schema.columns WHERE table_schema = $1
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = $1
     UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(c.oid)
       FROM pg_constraint c JOIN pg_namespace n ON n.oid = connamespace WHERE nspname = $1 AND contype <> 'n'`,
    [schema],
  )
  return rows.map(({ part }) => String(part).replaceAll(schema, 'schema')).sort()
}
