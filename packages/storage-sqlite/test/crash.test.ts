import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { feedRounds } from '../../../tools/torture/feed/feed-rounds.mjs'
import { killRounds } from '../../../tools/torture/kill-rounds.mjs'

// A few: `npm run torture` kills hundreds.
const kills = Number(process.env.MINIONS_KILLS ?? 12)
const seed = Number(process.env.MINIONS_SEED ?? 20_260)
const folder = mkdtempSync(join(tmpdir(), 'minions-crash-'))

const backendAt = (name: string) => ({
  package: 'storage-sqlite',
  factory: 'sqliteStorage',
  options: { path: join(folder, name), busyTimeout: 60_000 },
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it(`loses nothing when ${kills} writers are killed at random moments, four at a time (seed ${seed})`, async () => {
  const result = await killRounds({ backend: backendAt('store.db'), kills, seed })
  expect(result.kills).toBe(kills)
  expect(result.acknowledged).toBeGreaterThan(0)
}, 600_000)

it(`tells a reader that is killed of every change once, while four processes write (seed ${seed})`, async () => {
  const result = await feedRounds({ backend: backendAt('feed.db'), changes: 400, kills: 4, seed })
  expect(result).toMatchObject({ changes: 400, kills: 4 })
}, 600_000)
