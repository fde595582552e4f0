import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Minions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import type { StorageBackend } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { sqliteStorage } from '@minions/storage-sqlite'
import { afterAll, expect, it } from 'vitest'
import { PromptsApi, promptPluginTypes, prompts, promptTemplateType, promptVersionType } from '../../src/index.js'
import { promptIndexCollection, promptPartsCollection, promptVersionsCollection } from '../../src/lookup/collections.js'
import { tickingClock } from '../stores.js'

const kills = Number(process.env.MINIONS_KILLS ?? 6)
const folder = mkdtempSync(join(tmpdir(), 'minions-prompts-crash-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Prompts with versions, some by hand, as they were stored before there was an index. */
async function writeOldStore(storage: StorageBackend, prompts: number): Promise<number> {
  const client = await Minions.open({ storage, types: promptPluginTypes, clock: tickingClock() })
  const list = Array.from({ length: prompts }, (_, index) => ({
    id: `p${index}`,
    title: `P${index}`,
    fields: { content: 'Hi {{name}}' },
  }))
  await client.createMany(promptTemplateType, list)
  const api = new PromptsApi(client)
  const long = list.filter((_, index) => index % 100 === 0)
  for (const { id } of long) {
    for (let count = 0; count < 3; count++) await api.addVersion(id, { id: `${id}-${count}`, content: `${count}` })
    await api.variables.define(id, { name: 'name' })
    await client.create(promptVersionType, { id: `${id}-hand`, title: 'h', fields: { content: 'h' } })
    await client.link({ sourceId: `${id}-hand`, targetId: id, type: 'follows' })
    await api.publish(id, 2)
  }
  await client.close()
  return long.length
}

async function expectBuilt(storage: StorageBackend, long: number): Promise<void> {
  const app = await createMinions({ storage, plugins: [prompts()] })
  expect(await app.storage.get(promptIndexCollection, 'prompts')).toEqual({ id: 'prompts', layout: 3, phase: 'done' })
  expect(await app.storage.count(promptVersionsCollection)).toBe(long * 4)
  expect(await app.storage.count(promptPartsCollection)).toBe(long)
  for (let index = 0; index < long; index++) {
    const id = `p${index * 100}`
    expect((await app.prompts.latest(id)).id).toBe(`${id}-hand`)
    expect((await app.prompts.published(id)).id).toBe(`${id}-1`)
    expect(await app.prompts.variables.list(id)).toHaveLength(1)
  }
  await app.close()
}

it('carries building the index on, wherever it was interrupted', { timeout: 240_000 }, async () => {
  for (let calls = 0, failed = true; failed; calls += 53) {
    const storage = memoryStorage()
    const long = await writeOldStore(storage, 700)
    failed = await failsAfter(storage, calls)
    await expectBuilt(storage, long)
  }
})

/** Opens an app whose transactions fail after so many calls; true if that happened. */
async function failsAfter(storage: StorageBackend, calls: number): Promise<boolean> {
  let left = calls
  const failing = new Proxy(storage, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
      return (work: (tx: object) => Promise<unknown>) =>
        storage.transaction((tx) =>
          work(
            new Proxy(tx, {
              get(inner, method) {
                if (left-- <= 0) throw new Error('interrupted')
                const call = Reflect.get(inner, method, inner)
                return typeof call === 'function' ? call.bind(inner) : call
              },
            }),
          ),
        )
    },
  })
  return createMinions({ storage: failing, plugins: [prompts()] }).then(
    () => false,
    (error) => {
      expect(String(error)).toContain('interrupted')
      return true
    },
  )
}

it(`carries building the index on when ${kills} processes are killed, two at a time`, async () => {
  const path = join(folder, 'store.db')
  const long = await writeOldStore(sqliteStorage({ path, synchronous: 'off' }), 1200)
  const child = fileURLToPath(new URL('child.mjs', import.meta.url))
  const killed = async (round: number, dots: number) => {
    const process = spawn(globalThis.process.execPath, [child, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    let seen = 0
    process.stdout.on('data', (chunk) => {
      seen += String(chunk).length
      if (seen >= dots) process.kill('SIGKILL')
    })
    const [code, signal] = await once(process, 'exit')
    return { round, code, signal }
  }
  for (let round = 0; round < kills; round += 2) {
    const ends = await Promise.all([killed(round, 20 + 30 * round), killed(round + 1, 35 + 30 * round)])
    for (const { code, signal } of ends) expect([code, signal]).toContain(signal ? 'SIGKILL' : 0)
    if (round === 0) expect(ends.map(({ signal }) => signal)).toContain('SIGKILL')
  }
  await expectBuilt(sqliteStorage({ path }), long)
})
