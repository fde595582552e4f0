import { randomUUID } from 'node:crypto'
import { Minions } from '@minions/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { feedRounds } from '../../../tools/torture/feed/feed-rounds.mjs'
import { killRounds } from '../../../tools/torture/kill-rounds.mjs'
import { postgresStorage } from '../src/index.ts'
import { runTogether } from './support/processes.ts'
import { createDatabase, execute, needsServer, serverUrl, type TestDatabase } from './support/server.ts'

// A few: `npm run torture` kills hundreds.
const kills = Number(process.env.MINIONS_KILLS ?? 20)
const seed = Number(process.env.MINIONS_SEED ?? 20_260)

describe.skipIf(serverUrl === undefined)('several processes on one PostgreSQL database', needsServer, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())

  const open = (schema: string) =>
    Minions.open({ storage: postgresStorage({ connectionString: database.url, schema, poolSize: 2 }) })

  it('lets four open an empty database at once: one migrates, all work', async () => {
    const schema = `s_${randomUUID()}`
    await runTogether(4, 'create', database.url, schema, 'made by one of four')
    const minions = await open(schema)
    expect(await minions.count({ type: 'note' })).toBe(4)
    await minions.close()
  }, 60_000)

  it.each([2, 4])(
    'loses no update of %i that change the same records',
    async (count) => {
      const schema = `s_${randomUUID()}`
      const times = 20
      const minions = await open(schema)
      const counters = await minions.createMany(
        'file',
        [1, 2, 3].map((n) => ({ title: `${n}`, fields: { filename: 'c', fileUrl: 'http://c.example', fileSize: 0 } })),
      )
      const ids = counters.map(({ id }) => id)
      await runTogether(count, 'count', database.url, schema, JSON.stringify({ ids, times }))
      for (const id of ids) expect((await minions.get(id))?.fields.fileSize).toBe(count * times)
      await minions.close()
    },
    120_000,
  )

  it(`loses nothing when ${kills} clients are killed at random moments, ten at a time (seed ${seed})`, async () => {
    const options = { connectionString: database.url, schema: `s_${randomUUID()}`, poolSize: 2 }
    const result = await killRounds({
      backend: { package: 'storage-postgres', factory: 'postgresStorage', options },
      kills,
      writers: 10,
      seed,
      settle: () => waitForServer(database.url),
    })
    expect(result.kills).toBe(kills)
    expect(result.acknowledged).toBeGreaterThan(0)
  }, 600_000)

  it(`tells a reader that is killed of every change once, while four write (seed ${seed})`, async () => {
    const options = { connectionString: database.url, schema: `s_${randomUUID()}` }
    const backend = { package: 'storage-postgres', factory: 'postgresStorage', options }
    const result = await feedRounds({ backend, changes: 400, kills: 4, seed })
    expect(result).toMatchObject({ changes: 400, kills: 4 })
  }, 600_000)
})

/** The server may still be at work on what a killed client had sent it; that is over when its connections are gone. */
async function waitForServer(url: string): Promise<void> {
  const others =
    'SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
  while ((await execute(url, others))[0]?.n !== 0) await new Promise((resolve) => setTimeout(resolve, 20))
}
