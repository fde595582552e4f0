import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { killRounds } from '../../../tools/torture/kill-rounds.mjs'

const kills = Number(process.env.MINIONS_KILLS ?? 40)
const seed = Number(process.env.MINIONS_SEED ?? 20_260)
const folder = mkdtempSync(join(tmpdir(), 'minions-crash-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it(`loses nothing when ${kills} writers are killed at random moments, four at a time (seed ${seed})`, async () => {
  const backend = { package: 'storage-sqlite', factory: 'sqliteStorage', options: { path: join(folder, 'store.db') } }
  const result = await killRounds({ backend, kills, seed })
  expect(result.kills).toBe(kills)
  expect(result.acknowledged).toBeGreaterThan(0)
}, 600_000)
