import { describe, expect, it } from 'vitest'
import type { StorageBackend } from '../../src/storage/backend.js'
import { memoryStorage } from '../../src/storage/memory/memory-storage.js'
import { Store } from '../../src/storage/store.js'
import { plain } from './declarations.js'

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('a store', () => {
  it('refuses two collections of one name before it opens anything', async () => {
    const backend = memoryStorage()
    await expect(Store.open(backend, [plain, plain])).rejects.toMatchObject({ code: 'ALREADY_REGISTERED' })
    await expect(backend.catalogue()).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('refuses what is no backend', async () => {
    for (const storage of [undefined, null, 'memory:', {}] as unknown as StorageBackend[]) {
      await expect(Store.open(storage, [plain])).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
  })

  it('gives a transaction up at its deadline, with a hint', async () => {
    const storage = memoryStorage()
    const store = await Store.open(storage, [plain], { transactionTimeout: 20 })
    const other = await Store.open(storage, [plain])
    const work = store.transaction(async (tx) => {
      await tx.put(plain, { id: 'a' })
      await other.put(plain, { id: 'b' })
    })
    await expect(work).rejects.toMatchObject({
      code: 'TRANSACTION_TIMEOUT',
      message: expect.stringContaining('outer client'),
      details: { timeout: 20 },
    })
    await store.put(plain, { id: 'c' })
    expect(await store.get(plain, 'a')).toBeUndefined()
  })

  it('lets a transaction have a deadline of its own, or none', async () => {
    const store = await Store.open(memoryStorage(), [plain], { transactionTimeout: 20 })
    expect(await store.transaction(() => sleep(60).then(() => 1), { timeout: null })).toBe(1)
    expect(await store.transaction(() => sleep(60).then(() => 1), { timeout: 10_000 })).toBe(1)
    await expect(store.transaction(() => sleep(60), { timeout: 5 })).rejects.toMatchObject({
      code: 'TRANSACTION_TIMEOUT',
    })
  })

  it('makes no call on a transaction after one has failed, not even a read', async () => {
    const inner = memoryStorage()
    const calls: string[] = []
    const backend: StorageBackend = {
      ...bound(inner),
      transaction: (work) =>
        inner.transaction((tx) =>
          work(
            new Proxy(tx, {
              get(target, name) {
                return (...args: never[]) => {
                  calls.push(String(name))
                  return (target[name as 'put'] as (...given: never[]) => Promise<void>).apply(target, args)
                }
              },
            }),
          ),
        ),
    }
    const store = await Store.open(backend, [plain])
    await store.put(plain, { id: 'a' })
    calls.length = 0
    const work = store.transaction(async (tx) => {
      await tx.put(plain, { id: 'a' }, { ifAbsent: true }).catch(() => {})
      await expect(tx.get(plain, 'a')).rejects.toMatchObject({ code: 'CONFLICT' })
      await expect(tx.find(plain)).rejects.toMatchObject({ code: 'CONFLICT' })
      await expect(tx.put(plain, { id: 'b' })).rejects.toMatchObject({ code: 'CONFLICT' })
    })
    await expect(work).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(calls).toEqual(['put'])
  })

  it('commits what was not waited for when the work succeeds', async () => {
    const store = await Store.open(memoryStorage(), [plain])
    await store.transaction(async (tx) => {
      for (let index = 0; index < 10; index++) void tx.put(plain, { id: `k${index}` })
    })
    expect(await store.count(plain)).toBe(10)
  })

  it('counts by reading when the backend cannot count', async () => {
    const inner = memoryStorage()
    let queries = 0
    const backend: StorageBackend = {
      ...bound(inner),
      capabilities: { ...inner.capabilities, count: false },
      count: () => Promise.reject(new Error('not to be asked')),
      query(...plan) {
        queries += 1
        return inner.query(...plan)
      },
    }
    const store = await Store.open(backend, [plain])
    await store.putMany(
      plain,
      Array.from({ length: 1500 }, (_, index) => ({ id: `k${index}` })),
    )
    expect(await store.count(plain)).toBe(1500)
    expect(queries).toBe(2)
    expect(await store.count(plain, { where: { id: { lt: 'k2' } }, limit: 3 })).toBe(612)
    expect(queries).toBe(3)
  })

  it('is closed once, and then of no use', async () => {
    let closed = 0
    const inner = memoryStorage()
    const backend = {
      ...bound(inner),
      close: async () => {
        closed += 1
        await inner.close()
      },
    }
    const store = await Store.open(backend, [plain])
    await Promise.all([store.close(), store.close()])
    expect(closed).toBe(1)
    await expect(store.get(plain, 'a')).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(store.transaction(async () => 1)).rejects.toMatchObject({ code: 'CLOSED' })
  })
})

function bound(backend: ReturnType<typeof memoryStorage>): ReturnType<typeof memoryStorage> {
  return {
    name: backend.name,
    capabilities: backend.capabilities,
    open: (collections) => backend.open(collections),
    close: () => backend.close(),
    get: (collection, keys) => backend.get(collection, keys),
    query: (collection, plan) => backend.query(collection, plan),
    count: (collection, selection) => backend.count(collection, selection),
    transaction: (work) => backend.transaction(work),
    catalogue: () => backend.catalogue(),
  }
}
