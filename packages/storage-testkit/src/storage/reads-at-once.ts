import type { Store } from '@minions/core/storage'
import fc from 'fast-check'
import { expect } from 'vitest'
import { budget } from '../budget.js'
import { casesOf } from '../case.js'
import { Skipped } from '../context.js'
import { jsonValue } from './arbitraries.js'
import { type Doc, plain } from './collections.js'

/** `getNow`: the answer of `get` without a promise, where a backend has it at hand. */
export const readsAtOnce = casesOf('records read at once', {
  'it is the record that get finds, with its text and the version of the data, or nothing where there is none': async (
    context,
  ) => {
    const store = await readingAtOnce(context.open(plain))
    const doc = fc.dictionary(fc.string({ unit: 'grapheme' }), jsonValue)
    const property = fc.asyncProperty(fc.array(doc, { maxLength: 8 }), async (docs) => {
      const records = docs.map((each, index) => Object.fromEntries([...Object.entries(each), ['id', `r${index}`]]))
      await store.putMany(plain, records)
      for (const id of [...records.map(({ id }) => id as string), 'none']) {
        const now = readNow(store, id)
        if (now === undefined) continue
        const found = await store.getRevised(plain, id)
        expect(now && { record: now.record, revision: now.revision }).toEqual(found ?? null)
        if (now?.json !== undefined) expect(now.json).toBe(JSON.stringify(found?.record))
        if (now?.version !== undefined) expect(now.version).toBe(store.backend.dataVersion?.())
      }
    })
    await fc.assert(property, budget(25))
  },

  'a record belongs to its reader': async (context) => {
    const store = await readingAtOnce(context.open(plain))
    await store.put(plain, { id: 'a', list: [1] })
    const now = readNow(store, 'a')
    if (now) (now.record as { list: number[] }).list.push(2)
    expect(await store.get(plain, 'a')).toEqual({ id: 'a', list: [1] })
    expect(readNow(store, 'a')?.record ?? { id: 'a', list: [1] }).toEqual({ id: 'a', list: [1] })
  },

  'it is never what a transaction has not committed': async (context) => {
    const store = await readingAtOnce(context.open(plain))
    const old = { id: 'a', state: 'old' }
    await store.put(plain, old)
    const seen: (Doc | undefined)[] = []
    const see = () => seen.push(readNow(store, 'a')?.record)
    await store.transaction(async (tx) => {
      await tx.put(plain, { id: 'a', state: 'new' })
      see()
      await new Promise((resolve) => setImmediate(resolve))
      see()
    })
    for (const record of seen) expect(record ?? old).toEqual(old)
    const after = readNow(store, 'a')
    if (after !== undefined) expect(after?.record).toEqual({ id: 'a', state: 'new' })
  },

  'a closed store gives nothing': async (context) => {
    const store = await readingAtOnce(context.open(plain))
    await store.close()
    expect(() => readNow(store, 'a')).toThrow(expect.objectContaining({ code: 'CLOSED' }))
  },
})

const readNow = ({ backend }: Store, id: string) => backend.getNow?.(plain.name, plain.encodeKey(id))

async function readingAtOnce(opening: Promise<Store>): Promise<Store> {
  const store = await opening
  if (!store.backend.getNow) throw new Skipped('reads at once: getNow()')
  return store
}
