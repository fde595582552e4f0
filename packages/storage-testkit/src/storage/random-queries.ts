import type { CollectionQuery, Store, StoreReader } from '@minions/core/storage'
import fc, { type Arbitrary } from 'fast-check'
import { budget, tellProgress } from '../budget.js'
import { casesOf } from '../case.js'
import type { Context } from '../context.js'
import { times } from '../times.js'
import { searchOn, thing } from './arbitraries.js'
import { type Doc, refill, things } from './collections.js'
import { answer } from './model.js'

/**
 * Number of records in a store, and of queries in an ordinary run. Backends choose other plans as a collection grows.
 */
const SIZES: readonly (readonly [records: number, queries: number])[] = [
  [0, 100],
  [5, 350],
  [60, 400],
  [2000, 150],
]

/** Maximum number of queries on one set of records. */
const QUERIES_A_SET = 2000

/** Maximum number of pages read per query. */
const MOST_PAGES = 3

/** The writes of a transaction before its queries. */
interface Changes {
  readonly written: readonly Doc[]
  readonly removed: readonly string[]
}

/**
 * Random queries on stores of several sizes, inside and outside transactions, against a model that examines every
 * record.
 */
export const randomQueries = casesOf(
  'random queries',
  Object.fromEntries(
    SIZES.map(([size, queries]) => [
      `each query finds what the model finds, on ${size} records`,
      (context: Context) => compareOn(context, size, queries),
    ]),
  ),
)

async function compareOn(context: Context, size: number, usual: number): Promise<void> {
  const { numRuns, seed } = budget(usual)
  const store = await context.open(things)
  const ids = times(Math.ceil(size * 1.1) + 3, (index) => `t${index}`)
  const id = fc.constantFrom(...ids)
  const query = context.backend.capabilities.search ? searchOn(id) : searchOn(id).map(withoutText)
  for (let done = 0; done < numRuns; ) {
    const round = { query, id, seed: seed + done, queries: Math.min(QUERIES_A_SET, numRuns - done) }
    done += await compareOnOneSet(store, recordsWith(ids.slice(0, size), round.seed), round)
    tellProgress(`${context.name}: ${done} of ${numRuns} queries on ${size} records agree (seed ${seed})`)
  }
}

interface Round {
  readonly query: Arbitrary<CollectionQuery>
  readonly id: Arbitrary<string>
  readonly seed: number
  readonly queries: number
}

/** Runs queries on a store with these records, half of them inside transactions; resolves to their number. */
async function compareOnOneSet(store: Store, records: readonly Doc[], round: Round): Promise<number> {
  const { query, id, seed, queries } = round
  await refill(store, things, records)
  let count = 0
  const outside = fc.asyncProperty(query, async (one) => {
    count += 1
    await compare(store, records, one)
  })
  await fc.assert(outside, { seed, numRuns: Math.ceil(queries / 2) })
  const several = fc.array(query, { minLength: 1, maxLength: 50, size: 'max' })
  const inside = fc.asyncProperty(changesOf(id, records.length), several, async (changes, list) => {
    count += list.length
    await compareInside(store, records, changes, list)
  })
  for (let attempt = 0; count < queries; attempt++) await fc.assert(inside, { seed: seed + attempt, numRuns: 1 })
  return count
}

/** Some records are written, replacing old ones or not, and some are removed. */
function changesOf(id: Arbitrary<string>, size: number): Arbitrary<Changes> {
  const most = Math.ceil(size / 20) + 2
  const written = fc.uniqueArray(thing(id), { selector: (record) => record.id, maxLength: most, size: 'max' })
  return fc.record({ written, removed: fc.uniqueArray(id, { maxLength: most, size: 'max' }) })
}

async function compareInside(
  store: Store,
  before: readonly Doc[],
  { written, removed }: Changes,
  queries: readonly CollectionQuery[],
): Promise<void> {
  const after = new Map(before.map((record) => [record.id, record]))
  for (const record of written) after.set(record.id, record)
  for (const key of removed) after.delete(key)
  const giveUp = new Error('given up')
  const work = store.transaction(
    async (tx) => {
      await tx.putMany(things, written)
      await tx.deleteMany(things, removed)
      for (const query of queries) await compare(tx, [...after.values()], query)
      throw giveUp
    },
    { timeout: null },
  )
  await work.catch((error) => {
    if (error !== giveUp) throw error
  })
}

/** Compares the first pages of a result, and its total count, with the model. */
async function compare(reader: StoreReader, records: readonly Doc[], query: CollectionQuery): Promise<void> {
  const expected = answer(records, query).map((record) => record.id)
  const found: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, nextCursor } = await reader.find(things, { ...query, ...(cursor !== undefined && { cursor }) })
    found.push(...items.map((record) => record.id))
    cursor = nextCursor
    if (cursor === undefined) break
  }
  const due = cursor === undefined ? expected : expected.slice(0, found.length)
  const wrong = due.findIndex((id, index) => id !== found[index])
  if (wrong >= 0 || found.length !== due.length) {
    const at = wrong >= 0 ? wrong : due.length
    const which = `record ${at} is ${JSON.stringify(found[at])}, not ${JSON.stringify(due[at])}`
    throw new Error(`find: ${found.length} records, ${expected.length} expected; ${which}. ${JSON.stringify(query)}`)
  }
  const count = await reader.count(things, query)
  if (count !== expected.length) {
    throw new Error(`count: ${count}, ${expected.length} expected. ${JSON.stringify(query)}`)
  }
}

function recordsWith(ids: readonly string[], seed: number): Doc[] {
  const records = ids.length === 0 ? [] : fc.sample(thing(fc.constant('')), { seed, numRuns: ids.length })
  return records.map((record, index) => ({ ...record, id: ids[index] }))
}

function withoutText({ text: _, ...query }: CollectionQuery): CollectionQuery {
  return query
}
