import { randomUUID } from 'node:crypto'
import { defineCollection, Store, WriteBatch } from '@minions/core/storage'
import fc from 'fast-check'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.ts'
import { createPostgres } from './support/postgres.ts'
import { execute, type TestDatabase } from './support/server.ts'

const Item = Type.Object({ id: Type.String(), value: Type.String() })
const things = defineCollection({ name: 'things', schema: Item, key: 'id' })
const others = defineCollection({ name: 'others', schema: Item, key: 'id' })
const collections = { things, others }

let database: TestDatabase
beforeAll(async () => {
  database = await createPostgres()
})
afterAll(() => database.drop())

async function withStore(work: (store: Store, schema: string) => Promise<void>): Promise<void> {
  const schema = `s_${randomUUID()}`
  const backend = postgresStorage({ connectionString: database.url, ...database.options, schema })
  const store = await Store.open(backend, Object.values(collections))
  try {
    await work(store, schema)
  } finally {
    await store.close()
  }
}

/** One write of a batch, to a record of its own, or to the only one that all batches replace. */
const step = fc.record({
  name: fc.constantFrom(...(['things', 'others'] as const)),
  kind: fc.constantFrom('create', 'update', 'remove', 'check', 'replace', 'forget', 'replaceCommon'),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const isExpecting = ({ kind }: Step) => ['create', 'update', 'remove', 'check'].includes(kind)

/** A batch of these steps, what it leaves behind, and whether it has to be refused. */
function makeBatch(steps: readonly Step[], mayFail: boolean, by: string, seed: WriteBatch) {
  const batch = new WriteBatch()
  const outcome = new Map<string, string | undefined>()
  const failing = mayFail ? steps.findIndex(isExpecting) : -1
  for (const [index, { name, kind }] of steps.entries()) {
    const collection = collections[name]
    const id = kind === 'replaceCommon' ? 'common' : `${by}.${index}`
    if (outcome.has(`${name} ${id}`)) continue
    const isSeeded = kind === 'create' ? index === failing : kind !== 'replaceCommon'
    const revision = isSeeded ? seed.put(collection, { id, value: 'seed' }) : ''
    const ifRevision = index === failing ? 'another' : revision
    if (kind === 'create') batch.put(collection, { id, value: by }, { ifAbsent: true })
    else if (kind === 'update') batch.put(collection, { id, value: by }, { ifRevision })
    else if (kind === 'remove') batch.delete(collection, id, { ifRevision })
    else if (kind === 'forget') batch.delete(collection, id)
    else if (kind === 'check') batch.check(collection, id, { ifRevision })
    else batch.put(collection, { id, value: by })
    if (kind !== 'check') outcome.set(`${name} ${id}`, kind === 'remove' || kind === 'forget' ? undefined : by)
  }
  return { batch, outcome, isRefused: failing >= 0 }
}

it.each([1, 2, 7, 40, 130])('writes %i batches in one turn as a model does one after another', async (size) => {
  const shapes = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
  const drawn = fc.array(fc.record({ shape: fc.nat(2), fails: fc.nat(30) }), { minLength: size, maxLength: size })
  const property = fc.asyncProperty(shapes, drawn, (allSteps, batches) =>
    withStore(async (store) => {
      const seed = new WriteBatch()
      const made = batches.map(({ shape, fails }, index) =>
        makeBatch(allSteps[shape % allSteps.length] ?? [], fails === 0, String(index), seed),
      )
      await store.write(seed)
      const before = await stateOf(store)
      const { cursor } = await store.listChanges({ since: 'now' })
      const results = await Promise.allSettled(made.map(({ batch }) => store.write(batch)))
      const expected = new Map(before)
      const changed = new Set<string>()
      for (const [index, { outcome, isRefused }] of made.entries()) {
        if (isRefused) {
          expect(results[index]).toMatchObject({ status: 'rejected', reason: { code: 'CONFLICT' } })
          continue
        }
        expect(results[index]).toMatchObject({ status: 'fulfilled' })
        for (const [record, value] of outcome) {
          changed.add(record)
          if (value === undefined) expected.delete(record)
          else expected.set(record, value)
        }
      }
      const after = await stateOf(store)
      // Any of those who write the common record may be the last.
      for (const record of ['things common', 'others common']) {
        const writer = made[Number(after.get(record))]
        if (writer && !writer.isRefused && writer.outcome.has(record)) expected.set(record, after.get(record) as string)
      }
      expect(after).toEqual(expected)
      expect(await changedSince(store, cursor)).toEqual(changed)
    }),
  )
  await fc.assert(property, { numRuns: 10 })
})

async function stateOf(store: Store): Promise<Map<string, string>> {
  const state = new Map<string, string>()
  for (const [name, collection] of Object.entries(collections)) {
    for await (const { record } of store.iterate(collection)) state.set(`${name} ${record.id}`, record.value)
  }
  return state
}

async function changedSince(store: Store, since: string): Promise<Set<string>> {
  const changed = new Set<string>()
  let page = { cursor: since, more: true }
  while (page.more) {
    const next = await store.listChanges({ since: page.cursor, limit: 1000 })
    for (const { collection, key } of next.items) changed.add(`${collection} ${key}`)
    page = next
  }
  return changed
}

it.each([
  ['alike', ['a', 'b', 'c', 'd', 'e'].map((id) => [things, id, 'x'] as const), 1],
  ['of two shapes', [...'abcd'].map((id, index) => [index % 2 ? things : others, id, 'x'] as const), 2],
  ['to one record', [...'aaa'].map((id) => [things, id, 'x'] as const), 3],
  ['too many for one', Array.from({ length: 101 }, (_, index) => [things, `${index}`, 'x'] as const), 2],
  ['too long for one', [...'abc'].map((id) => [things, id, 'x'.repeat(400_000)] as const), 2],
])('commits batches %s in as few transactions as possible', async (_, puts, commits) => {
  await withStore(async (store, schema) => {
    await Promise.all(puts.map(([collection, id, value]) => store.put(collection, { id, value })))
    const [row] = await execute(database.url, `SELECT count(DISTINCT xid)::int AS n FROM "${schema}"._changes`)
    expect(row?.n).toBe(commits)
  })
})

it.each([2, 3, 20])('refuses one of %i batches that each check what the next one writes', async (size) => {
  await withStore(async (store) => {
    const ids = Array.from({ length: size }, (_, index) => `${index}`)
    const seed = new WriteBatch()
    const revisions = ids.map((id) => seed.put(things, { id, value: 'seed' }))
    await store.write(seed)
    const results = await Promise.allSettled(
      ids.map((id, index) => {
        const batch = new WriteBatch()
        const next = (index + 1) % size
        batch.check(things, `${next}`, { ifRevision: revisions[next] ?? '' })
        batch.put(things, { id, value: 'new' }, { ifRevision: revisions[index] ?? '' })
        return store.write(batch)
      }),
    )
    const written = ids.filter((_, index) => results[index]?.status === 'fulfilled')
    expect(written.length).toBeLessThan(size)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } })
    const state = await stateOf(store)
    expect(ids.filter((id) => state.get(`things ${id}`) === 'new')).toEqual(written)
  })
})
