import { createMinion } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { minionsCollection, Store } from '@minions/core/storage'
import { taskType } from '@minions/core/types'
import { describe, expect, it } from 'vitest'
import { createPostgres } from '../../storage-postgres/test/support/postgres.js'
import { serverUrl } from '../../storage-postgres/test/support/server.js'
import { copyStore } from '../src/store/copy-store.js'
import { filled } from './support/minions.js'

describe('copy', () => {
  it('moves a store to files and back, verified, and can be repeated', async () => {
    const minions = await filled()
    await minions.json(['workspace', 'add', '--name', 'w', '--storage', 'sqlite:./minions.db'])
    const there = await minions.json(['copy', '--from', 'sqlite:./minions.db', '--to', 'fs:./data'])
    const rows = Object.fromEntries(
      there.collections.map((row: { collection: string; written: number }) => [row.collection, row.written]),
    )
    expect(rows).toMatchObject({ minions: 2, relations: 1, workspaces: 1 })
    const again = await minions.json(['copy', '--from', 'sqlite:./minions.db', '--to', 'fs:./data'])
    expect(again.collections.every((row: { written: number }) => row.written === 0)).toBe(true)
    const back = await minions.json(['copy', '--from', 'fs:./data', '--to', 'sqlite:./back.db'])
    const sums = (report: typeof there) =>
      report.collections.map((row: { collection: string; checksum: string }) => [row.collection, row.checksum])
    expect(sums(back)).toEqual(sums(there))
    expect(await minions.json(['list', '--storage', 'sqlite:./back.db'])).toEqual(await minions.json(['list']))
  })

  it('carries on with a target that has a part, and refuses one that differs', async () => {
    const minions = await filled()
    const copy = ['copy', '--from', 'sqlite:./minions.db', '--to', 'sqlite:./to.db']
    await minions.json(copy)
    const [first, second] = await minions.json(['list', '--storage', 'sqlite:./to.db'])
    await minions.json(['purge', second.id, '--yes', '--storage', 'sqlite:./to.db'])
    const carriedOn = await minions.json(copy)
    expect(carriedOn.collections.find((row: { collection: string }) => row.collection === 'minions').written).toBe(1)
    await minions.json(['update', first.id, '--title', 'Other', '--storage', 'sqlite:./to.db'])
    expect(await minions.here(copy)).toMatchObject({ code: 1, stderr: expect.stringContaining('COPY_CONFLICT') })
    const refused = await minions.here([...copy, '--overwrite'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('CONFIRMATION_REQUIRED') })
    await minions.json([...copy, '--overwrite', '--yes'])
    expect((await minions.json(['get', first.id, '--storage', 'sqlite:./to.db'])).title).toBe('A')
    await minions.json(['create', 'note', '--title', 'Extra', '--content', 'x', '--storage', 'sqlite:./to.db'])
    expect(await minions.here(copy)).toMatchObject({ code: 1, stderr: expect.stringContaining('COPY_INCOMPLETE') })
  })

  it('moves a store to PostgreSQL and back', async () => {
    const database = await createPostgres()
    try {
      const minions = await filled()
      const settings = serverUrl === undefined ? '?poolSize=1&preparedStatements=false' : ''
      const [from, server] = [`sqlite:${minions.path('minions.db')}`, `${database.url}${settings}`]
      const there = await minions.json(['copy', '--from', from, '--to', server])
      expect(there.records).toBeGreaterThan(2)
      expect(await minions.json(['list', '--storage', server])).toEqual(await minions.json(['list']))
      expect(await minions.here(['doctor', '--storage', server])).toMatchObject({ code: 0 })
      const back = await minions.json(['copy', '--from', server, '--to', 'sqlite:./back.db'])
      expect(back.collections).toEqual(there.collections)
    } finally {
      await database.drop()
    }
  })

  it('is carried on after it was broken off, with what is missing', async () => {
    const [from, to] = [await store(), await store()]
    const tasks = Array.from({ length: 1_200 }, () => createMinion({ title: 'T', fields: {} }, taskType).minion)
    await from.transaction((tx) => tx.putMany(minionsCollection, tasks))
    const stop = new AbortController()
    const broken = copyStore(from, to, { signal: stop.signal, onProgress: () => stop.abort(new Error('broken off')) })
    await expect(broken).rejects.toThrow('broken off')
    expect(await to.count(minionsCollection)).toBe(500)
    expect(await copyStore(from, to)).toMatchObject([{ collection: 'minions', records: 1_200, written: 700 }])
    expect(await copyStore(from, to)).toMatchObject([{ records: 1_200, written: 0 }])
  })
})

async function store(): Promise<Store> {
  return Store.open(memoryStorage(), [minionsCollection])
}
