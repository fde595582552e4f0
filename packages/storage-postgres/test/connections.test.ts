import { AsyncResource } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Minions, MinionsError } from '@minions/core'
import { defineCollection, type StorageBackend, Store, WriteBatch } from '@minions/core/storage'
import { Pool } from 'pg'
import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.ts'
import type { PostgresStorageOptions } from '../src/options.ts'
import { startProxy } from './support/proxy.ts'
import { createDatabase, execute, needsServer, serverUrl, type TestDatabase } from './support/server.ts'

const records = defineCollection({
  name: 'records',
  version: 1,
  schema: Type.Object({ id: Type.String() }),
  key: 'id',
})

const note = (title: string) => ({ title, fields: { content: title } })

describe.skipIf(serverUrl === undefined)('connections to a PostgreSQL server', needsServer, () => {
  let database: TestDatabase
  const open: Minions[] = []
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterEach(async () => {
    for (const minions of open.splice(0)) await minions.close()
  })
  afterAll(() => database?.drop())

  async function start(options: Partial<PostgresStorageOptions> = {}): Promise<Minions> {
    const location = options.pool ? {} : { connectionString: database.url }
    const storage: StorageBackend = postgresStorage({ schema: `s_${randomUUID()}`, ...location, ...options })
    const minions = await Minions.open({ storage })
    open.push(minions)
    return minions
  }

  const cutAll = () =>
    execute(
      database.url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )

  it('goes on after idle connections were cut', async () => {
    const minions = await start({ poolSize: 6 })
    const fillPool = () => Promise.all(Array.from({ length: 6 }, () => minions.transaction(() => sleep(50))))
    await minions.create('note', note('1'))
    await fillPool()
    await cutAll()
    expect(await minions.count()).toBe(1)
    await fillPool()
    await cutAll()
    await minions.create('note', note('2'))
    expect(await minions.count()).toBe(2)
  })

  it('rolls a transaction back whose connection is cut, says so, and goes on', async () => {
    const minions = await start({ poolSize: 2 })
    const work = minions.transaction(async (tx) => {
      await tx.create('note', note('lost'))
      await cutAll()
      await tx.create('note', note('never'))
    })
    await expect(work).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    const idle = minions.transaction(async (tx) => {
      await tx.create('note', note('lost'))
      await cutAll()
      await new Promise((resolve) => setTimeout(resolve, 50))
    })
    await expect(idle).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    expect(await minions.count()).toBe(0)
    await minions.create('note', note('kept'))
    expect(await minions.count()).toBe(1)
  })

  async function startStore(connectionString: string): Promise<Store> {
    return Store.open(postgresStorage({ schema: `s_${randomUUID()}`, connectionString, poolSize: 3 }), [records])
  }

  it('writes batches after idle connections were cut', async () => {
    const store = await startStore(database.url)
    await Promise.all(['x', 'y', 'z'].map((id) => store.put(records, { id })))
    for (const id of ['a', 'b', 'c']) {
      await cutAll()
      const batch = new WriteBatch()
      batch.put(records, { id }, { ifAbsent: true })
      await store.write(batch)
    }
    expect(await store.count(records)).toBe(6)
    await store.close()
  })

  it.each([1, 3])(
    'writes batches once whose answer was lost, and says so of those that cannot tell: %i',
    async (size) => {
      const proxy = await startProxy(database.url)
      const store = await startStore(proxy.url)
      const told = Array.from({ length: size }, () => new WriteBatch())
      const revisions = told.map((batch, index) => batch.put(records, { id: `told ${index}` }, { ifAbsent: true }))
      proxy.cutAt('1 / (CASE')
      await Promise.all(told.map((batch) => store.write(batch)))
      for (const [index, revision] of revisions.entries())
        expect((await store.getRevised(records, `told ${index}`))?.revision).toBe(revision)
      proxy.cutAt('1 / (CASE')
      const untold = Array.from({ length: size }, (_, index) => store.put(records, { id: `untold ${index}` }))
      for (const outcome of await Promise.allSettled(untold))
        expect(outcome).toMatchObject({ reason: { code: 'STORAGE_UNAVAILABLE', details: { outcome: 'unknown' } } })
      await expect.poll(() => store.count(records)).toBe(2 * size)
      await store.close()
      await proxy.stop()
    },
  )

  it('does not repeat a transaction whose commit may have happened', async () => {
    const proxy = await startProxy(database.url)
    const minions = await start({ connectionString: proxy.url, poolSize: 2 })
    proxy.cutAt('COMMIT')
    let runs = 0
    const work = minions.transaction(async (tx) => {
      runs += 1
      await tx.create('note', note('perhaps'))
    })
    await expect(work).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', details: { outcome: 'unknown' } })
    expect(runs).toBe(1)
    await expect.poll(() => minions.count()).toBe(1)
    await minions.close()
    await proxy.stop()
  })

  it('reports an exhausted pool as busy, and goes on when a connection is free', async () => {
    const minions = await start({ poolSize: 1, connectionTimeout: 150 })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let holder = Promise.resolve()
    await new Promise<void>((held) => {
      holder = minions.transaction(async (tx) => {
        await tx.create('note', note('held'))
        held()
        await released
      })
    })
    await expect(minions.count()).rejects.toMatchObject({ code: 'STORAGE_BUSY' })
    await expect(minions.create('note', note('refused'))).rejects.toMatchObject({ code: 'STORAGE_BUSY' })
    release()
    await holder
    expect(await minions.count()).toBe(1)
  })

  it('uses a given pool and does not end it, whatever parsers it has', async () => {
    const parse = () => () => 'not what the server said'
    const pool = new Pool({ connectionString: database.url, types: { getTypeParser: parse as never } })
    const minions = await start({ pool })
    const { id } = await minions.create('note', note('one'))
    expect(await minions.get(id)).toMatchObject({ title: 'one' })
    await minions.close()
    expect(pool.ended).toBe(false)
    expect(pool.listenerCount('error')).toBe(0)
    await pool.end()
  })

  it('lets one of many compare-and-sets win', async () => {
    const minions = await start()
    const { id } = await minions.create('note', note('one'))
    const { revision } = (await minions.getRecord(id)) ?? { revision: '' }
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => minions.update(id, { title: `${n}` }, { ifRevision: revision })),
    )
    const winners = results.filter(({ status }) => status === 'fulfilled')
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    expect(winners).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set(['CONFLICT']))
  })

  it('gives up after the given number of collisions', async () => {
    const minions = await start({ retries: 1 })
    const { id } = await minions.create('note', note('one'))
    let runs = 0
    // Not part of the transaction: it only happens meanwhile.
    const collide = AsyncResource.bind((title: string) => minions.update(id, { title }))
    const work = minions.transaction(async (tx) => {
      runs += 1
      const current = await tx.get(id)
      await collide(`${current?.title}!`)
      await tx.update(id, { title: 'mine' })
    })
    await expect(work).rejects.toMatchObject({ code: 'STORAGE_BUSY', details: { attempts: 2 } })
    expect(runs).toBe(2)
    expect((await minions.get(id))?.title).toBe('one!!')
  })

  it('explains what the server refuses, without the password', async () => {
    const url = new URL(database.url)
    url.password = 'open-sesame'
    const missing = new URL(url)
    missing.pathname = '/no_such_database'
    const closed = new URL(url)
    closed.port = '1'
    for (const connectionString of [missing.href, closed.href, 'postgres://u:open-sesame@nowhere.invalid/x']) {
      const error = await Minions.open({ storage: postgresStorage({ connectionString }) }).catch((caught) => caught)
      expect(error).toBeInstanceOf(MinionsError)
      expect(error.code).toBe('STORAGE_UNAVAILABLE')
      expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain('sesame')
    }
  })

  it('reports a time limit of the server as busy', async () => {
    const impatient = new URL(database.url)
    impatient.searchParams.set('options', '-c lock_timeout=50')
    const schema = `s_${randomUUID()}`
    const holder = await start({ schema })
    const { id: held } = await holder.create('note', note('held'))
    const waiting = await start({ connectionString: impatient.href, schema })
    await holder.transaction(async (tx) => {
      await tx.update(held, { title: 'changed' })
      await expect(waiting.update(held, { title: 'refused' })).rejects.toMatchObject({ code: 'STORAGE_BUSY' })
    })
    expect((await holder.get(held))?.title).toBe('changed')
  })
})
