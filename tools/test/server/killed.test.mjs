// @ts-check
// A team at work through the real command, which is killed in the middle of writes: what was answered is there, once, and
// everyone who listens has heard of it, once. `npm run torture -- server` does the same for longer,
// and so does this with MINIONS_SERVER_KILLS=50.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { servedRounds } from '../../torture/server/served-rounds.mjs'

/** A few unless more are asked for: on a busy machine a server takes half a minute to start. */
const kills = Number(process.env.MINIONS_SERVER_KILLS ?? 2)
const seed = 2026
const postgres = process.env.MINIONS_TEST_POSTGRES_URL
const needs = 'PostgreSQL: set MINIONS_TEST_POSTGRES_URL'

function temporaryHome() {
  const home = mkdtempSync(join(tmpdir(), 'minions-killed-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))
  return home
}

/** URL of a schema that is removed when the test ends. */
async function temporarySchema() {
  const schema = `killed_${randomUUID().replaceAll('-', '')}`
  const url = new URL(postgres ?? '')
  url.searchParams.set('schema', schema)
  onTestFinished(async () => {
    const admin = new pg.Client({ connectionString: postgres })
    await admin.connect()
    await admin.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
    await admin.end()
  })
  return url.href
}

const options = { timeout: 600_000 + kills * 60_000 }

it('nothing that `minions serve` has answered is lost on SQLite', options, async () => {
  const home = temporaryHome()
  const outcome = await servedRounds({ home, storage: `sqlite:${join(home, 'store.db')}`, kills, seed })
  expect(outcome).toMatchObject({ kills })
})

it.skipIf(!postgres)('nor on PostgreSQL', { ...options, meta: { needs } }, async () => {
  const outcome = await servedRounds({ home: temporaryHome(), storage: await temporarySchema(), kills, seed })
  expect(outcome).toMatchObject({ kills })
})

it.skipIf(!postgres)(
  'two servers on one PostgreSQL see what the other writes, through restarts',
  { ...options, meta: { needs } },
  async () => {
    const home = temporaryHome()
    const outcome = await servedRounds({ home, storage: await temporarySchema(), servers: 2, kills, seed })
    expect(outcome).toMatchObject({ kills })
  },
)
