// @ts-check
// A process that works on a store, on the built packages.
import { defineCollection, Store } from '@minions/core/storage'
import { fsStorage } from '@minions/storage-fs'
import { Type } from 'typebox'

const { root, job, times } = JSON.parse(process.argv[2] ?? '{}')
const numbers = defineCollection({
  name: 'numbers',
  version: 1,
  schema: Type.Object({ id: Type.String(), value: Type.Integer() }),
  key: 'id',
})
const store = await Store.open(fsStorage({ root, busyTimeout: 30_000 }), [numbers])

if (job === 'count') {
  for (let turn = 0; turn < times; turn++) {
    await store.transaction(async (tx) => {
      for (const id of ['a', 'b']) {
        const { value } = (await tx.get(numbers, id)) ?? { value: Number.NaN }
        await tx.put(numbers, { id, value: value + 1 })
      }
    })
  }
  await store.close()
} else {
  await store.transaction(async (tx) => {
    await tx.put(numbers, { id: 'held', value: 1 })
    process.send?.('holding')
    await new Promise((resolve) => setTimeout(resolve, 25_000))
  })
}
process.disconnect?.()
