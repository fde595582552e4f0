import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sqliteStorage } from '@minions/storage-sqlite'
import { afterAll, expect, it, vi } from 'vitest'
import { ColonyStore, Proposals } from '../src/index.js'
import { PROPOSAL, storeMission, TENANT } from './support/stored-mission.js'

const folder = mkdtempSync(join(tmpdir(), 'minions-writeback-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('shows `applying` after a process was killed between the change and its record, and makes the change once', async () => {
  const path = join(folder, 'store.db')
  const effects = join(folder, 'effects.txt')
  const store = await ColonyStore.open(sqliteStorage({ path }))
  const mission = await storeMission(store)
  const missionId = String(mission.mission_envelope.mission_id)
  const proposals = new Proposals(store)
  const status = async () => (await store.forTenant(TENANT).application(missionId, PROPOSAL))?.status

  const here = fileURLToPath(new URL('.', import.meta.url))
  const script = join(here, 'support/crashing-writer.mjs')
  const child = spawn(process.execPath, [script, resolve(here, '../..'), path, effects, PROPOSAL], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await once(child.stdout, 'data')
  expect(String(output)).toBe('changed\n')

  const handler = vi.fn((_: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
    const isDone = readFileSync(effects, 'utf8').split('\n').includes(idempotencyKey)
    if (!isDone) appendFileSync(effects, `${idempotencyKey}\n`)
    return isDone
  })
  expect(await status()).toBe('applying')
  await expect(proposals.apply(PROPOSAL, handler)).rejects.toMatchObject({ code: 'CONFLICT' })

  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await status()).toBe('applying')
  expect(handler).not.toHaveBeenCalled()

  const applied = await proposals.apply(PROPOSAL, handler)
  expect(applied).toMatchObject({ status: 'applied', attempts: 2, result: true })
  expect(readFileSync(effects, 'utf8')).toBe(`${applied.idempotency_key}\n`)
  await store.close()
})
