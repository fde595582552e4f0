import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineCollection, Store, type StoreTransaction } from '@minions/core/storage'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { randomFrom } from '../../../tools/torture/random.mjs'
import { sqliteStorage } from '../src/index.js'

const pages = defineCollection({
  name: 'pages',
  version: 1,
  schema: Type.Object({ id: Type.String(), text: Type.Optional(Type.String()) }),
  key: 'id',
  text: 'text',
})

let folder: string
let store: Store
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'minions-sqlite-'))
  store = await Store.open(sqliteStorage({ path: join(folder, 'store.db'), synchronous: 'off' }), [pages])
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const found = async (reader: Store | StoreTransaction, text: string) =>
  (await reader.find(pages, { text, limit: 1000 })).items.map(({ id }) => id).sort()

it.each([
  [1, 30],
  [9, 40],
  [120, 15],
])('transactions that share commits find each of %i texts as it is, in and after them', async (size, rounds) => {
  const random = randomFrom(size)
  const below = (limit: number) => Math.floor(random() * limit)
  const model = new Map<string, string>()
  const wordOf = (text: string | undefined) => text?.split(' ')[1]
  for (let round = 0; round < rounds; round++) {
    const touched = new Set(Array.from({ length: 1 + below(size) }, () => `p${below(size)}`))
    const write = async (tx: StoreTransaction, id: string, text: string | undefined) => {
      if (text === undefined) await tx.delete(pages, id)
      else await tx.put(pages, { id, text })
    }
    const changes = Array.from(touched, async (id, index) => {
      const [before, after] = [model.get(id), below(3) === 0 ? undefined : `common own${round}x${index}e`]
      const kind = below(4)
      if (kind !== 3 && after === undefined) model.delete(id)
      else if (kind !== 3) model.set(id, after as string)
      if (kind === 0 && after !== undefined) await store.put(pages, { id, text: after })
      else if (kind <= 1) await store.transaction((tx) => write(tx, id, after))
      else {
        const work = store.transaction(async (tx) => {
          // Written twice, and searched for in between, with what others of the same commit have written pending.
          await write(tx, id, below(2) === 0 ? undefined : 'common between')
          if (below(2) === 0) await tx.count(pages, { text: 'common' })
          await write(tx, id, after)
          const searches = below(2) === 0
          if (searches && before !== undefined) expect(await found(tx, wordOf(before) as string)).toEqual([])
          if (searches && after !== undefined) expect(await found(tx, wordOf(after) as string)).toEqual([id])
          if (kind === 3) throw new Error('undone')
        })
        if (kind === 3) await expect(work).rejects.toThrow('undone')
        else await work
      }
    })
    await Promise.all(changes)
    expect(await found(store, 'common')).toEqual([...model.keys()].sort())
    expect(await found(store, 'between')).toEqual([])
    for (const [id, text] of model) expect(await found(store, wordOf(text) as string)).toEqual([id])
  }
})

it('finds texts of a transaction that are too many to wait for its end', async () => {
  const long = Array.from({ length: 20_000 }, (_, index) => `w${index}`).join(' ')
  await store.transaction(async (tx) => {
    for (let index = 20; index > 0; index--) await tx.put(pages, { id: `p${index}`, text: `${long} own${index}` })
    await tx.put(pages, { id: 'p7', text: 'short' })
    await tx.delete(pages, 'p20')
  })
  expect(await found(store, 'w19999')).toHaveLength(18)
  expect(await found(store, 'own3')).toEqual(['p3'])
  expect(await found(store, 'own7')).toEqual([])
  expect(await found(store, 'short')).toEqual(['p7'])
})
