import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { defineCollection, Store } from '@minions/core/storage'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { scratchFolder } from '../../../tools/scratch-folder.js'
import { randomFrom } from '../../../tools/torture/random.mjs'
import { sqliteStorage } from '../src/index.js'

const counters = defineCollection({
  name: 'counters',
  version: 1,
  schema: Type.Object({ id: Type.String(), n: Type.Integer() }),
  key: 'id',
  columns: { n: 'number' },
  indexes: [['n']],
})

let path: string
const stores: Store[] = []

beforeEach(() => {
  path = join(mkdtempSync(join(scratchFolder, 'minions-sqlite-')), 'store.db')
})

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()))
  rmSync(join(path, '..'), { recursive: true, force: true })
})

async function open(): Promise<Store> {
  const store = await Store.open(sqliteStorage({ path, synchronous: 'off', busyTimeout: 20_000 }), [counters])
  stores.push(store)
  return store
}

/** Runs work as somebody who is in no transaction. */
const outside = AsyncLocalStorage.snapshot()

/** Everything that reads says the same as the model. */
async function expectContents(store: Store, model: ReadonlyMap<string, number>, keys: readonly string[]) {
  const expected = keys.map((id) => (model.has(id) ? { id, n: model.get(id) } : undefined))
  const asked = Promise.all([
    ...keys.map((id) => store.get(counters, id)),
    store.getMany(counters, keys),
    store.find(counters, { orderBy: [{ field: 'n' }], limit: 1000 }),
    store.count(counters, { where: { n: { gte: 5 } } }),
  ])
  const atOnce = keys.map((id) => store.backend.getNow?.(counters.name, id))
  expect(atOnce.map((found) => found?.record)).toEqual(expected)
  const version = store.backend.dataVersion?.()
  for (const found of atOnce) if (found) expect(found.version).toBe(version)
  const answers = await asked
  expect(answers.slice(0, keys.length)).toEqual(expected)
  expect(answers.at(-3)).toEqual(expected.map((record) => record && expect.objectContaining({ record })))
  const sorted = [...model].map(([id, n]) => ({ id, n })).sort((a, b) => a.n - b.n || (a.id < b.id ? -1 : 1))
  expect(answers.at(-2)).toMatchObject({ items: sorted })
  expect(answers.at(-1)).toBe(sorted.filter(({ n }) => n >= 5).length)
}

it.each([1, 7, 60])('reads find what is committed, by whomever, with %i records', async (size) => {
  const random = randomFrom(size)
  const below = (limit: number) => Math.floor(random() * limit)
  const keys = Array.from({ length: size }, (_, index) => `k${index}`)
  const key = () => keys[below(size)] as string
  const [first, second] = [await open(), await open()]
  const either = () => (below(2) === 0 ? first : second)
  const model = new Map<string, number>()
  for (let step = 0; step < 40; step++) {
    const [id, n] = [key(), below(10)]
    const kind = below(4)
    if (kind === 0) {
      await either().delete(counters, id)
      model.delete(id)
    } else if (kind === 1) {
      await either().put(counters, { id, n })
      model.set(id, n)
    } else {
      // While a transaction has written and is not over, nobody else sees what it has written.
      const isCommitted = kind === 2
      const work = either().transaction(async (tx) => {
        await tx.put(counters, { id, n })
        await tx.delete(counters, keys[0] as string)
        for (const store of [first, second]) await outside(() => expectContents(store, model, keys))
        if (!isCommitted) throw new Error('undone')
      })
      if (isCommitted) {
        await work
        model.set(id, n)
        model.delete(keys[0] as string)
      } else await expect(work).rejects.toThrow('undone')
    }
    for (const store of [first, second]) await expectContents(store, model, keys)
  }
})
