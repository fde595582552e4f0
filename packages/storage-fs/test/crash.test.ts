import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { feedRounds } from '../../../tools/torture/feed/feed-rounds.mjs'
import { removeFolder, temporaryFolder } from './folders.js'

// A few of each: `npm run torture` kills hundreds, and lets them write for longer.
const kills = Number(process.env.MINIONS_KILLS ?? 8)
const mostAcknowledged = 100
const seed = Number(process.env.MINIONS_SEED ?? 20_260)

let folder: string

beforeEach(() => {
  folder = temporaryFolder(tmpdir())
})

afterEach(() => removeFolder(folder))

async function killRounds(
  format: string,
  rounds: object,
  NODE_OPTIONS = '',
): Promise<{ kills: number; acknowledged: number }> {
  const options = { root: join(folder, 'store'), format, busyTimeout: 60_000 }
  const argument = { options, kills, mostAcknowledged, seed, ...rounds }
  const { stdout } = await promisify(execFile)(process.execPath, [file('kill-rounds.mjs'), JSON.stringify(argument)], {
    env: { ...process.env, NODE_OPTIONS },
  })
  return JSON.parse(stdout)
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

describe.each(['json', 'yaml'])('%s', (format) => {
  it(`loses nothing when ${kills} writers are killed at random moments, four at a time (seed ${seed})`, async () => {
    const result = await killRounds(format, {})
    expect(result.kills).toBe(kills)
    expect(result.acknowledged).toBeGreaterThan(0)
  }, 1_800_000)

  it(`loses nothing when ${kills} writers die inside a call that changes the disk`, async () => {
    const result = await killRounds(format, {}, `--import=${file('die-in-a-call.mjs')}`)
    expect(result.kills).toBe(kills)
  }, 1_800_000)
})

it(`tells a reader that is killed of every change once, while four processes write (seed ${seed})`, async () => {
  const backend = { package: 'storage-fs', factory: 'fsStorage', options: { root: join(folder, 'store') } }
  const result = await feedRounds({ backend, changes: 400, kills: 4, seed })
  expect(result).toMatchObject({ changes: 400, kills: 4 })
}, 600_000)
