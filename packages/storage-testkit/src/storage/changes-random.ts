import type { Store, StoreChange } from '@minions/core/storage'
import fc, { type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import { budget } from '../budget.js'
import { feedCases } from '../case.js'
import { settle } from '../failure.js'
import { accounts, changesSince, plain } from './collections.js'

interface Step {
  readonly collection: 'plain' | 'accounts'
  readonly id: string
  readonly op: 'put' | 'create' | 'delete'
}

interface Transaction {
  readonly steps: readonly Step[]
  readonly givesUp: boolean
}

/** The revisions of all records, by collection and id. */
type Records = ReadonlyMap<string, string>

const COLLECTIONS = { plain, accounts } as const

const step: Arbitrary<Step> = fc.record({
  collection: fc.constantFrom('plain', 'accounts'),
  id: fc.constantFrom('a', 'b', 'c', 'é😀'),
  op: fc.constantFrom('put', 'put', 'create', 'delete'),
})
const transaction: Arbitrary<Transaction> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  givesUp: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
})

/** Random transactions, and the changes predicted by a plain model. */
export const changesRandom = feedCases('random changes', [plain, accounts], {
  'the feed matches the model, in pages of any size': async (store) => {
    let records: Records = new Map()
    const property = fc.asyncProperty(
      fc.array(transaction, { maxLength: 12 }),
      fc.integer({ min: 1, max: 7 }),
      async (list, limit) => {
        const { cursor } = await store.listChanges()
        const foretold: string[][] = []
        for (const attempt of list) {
          const outcome = await settle(perform(store, attempt, records))
          if ('error' in outcome) continue
          foretold.push(differences(records, outcome.value))
          records = outcome.value
        }
        const seen = (await changesSince(store, cursor, limit)).map(inWords)
        // Within one transaction the order of different records is unspecified.
        const found = foretold.map((changes) => seen.splice(0, changes.length).sort())
        expect(found).toEqual(foretold)
        expect(seen).toEqual([])
      },
    )
    await fc.assert(property, budget(60))
  },
})

/** Runs a transaction and returns the resulting state of the model. */
function perform(store: Store, { steps, givesUp }: Transaction, before: Records): Promise<Records> {
  return store.transaction(async (tx) => {
    const records = new Map(before)
    for (const { collection: name, id, op } of steps) {
      const collection = COLLECTIONS[name]
      const record = `${collection.name} ${id}`
      if (op === 'delete') {
        await tx.delete(collection, id)
        records.delete(record)
      } else if (op === 'put') records.set(record, await tx.put(collection, { id }))
      else if (!records.has(record)) records.set(record, await tx.put(collection, { id }, { ifAbsent: true }))
    }
    if (givesUp) throw new Error('given up')
    return records
  })
}

/** The change of each record that differs; a removed one is reported with its last revision. */
function differences(before: Records, after: Records): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  const changed = [...names].filter((name) => before.get(name) !== after.get(name))
  return changed.map((name) => (after.has(name) ? `put ${name} ${after.get(name)}` : `delete ${name}`)).sort()
}

/** A change in the words of `differences`. */
function inWords({ collection, key, kind, revision }: StoreChange): string {
  return kind === 'put' ? `put ${collection} ${key} ${revision}` : `delete ${collection} ${key}`
}
