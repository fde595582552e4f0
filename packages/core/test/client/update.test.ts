import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMinionsError, type Minion, Minions, type UpdateMinionInput } from '../../src/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'

const NAMES = ['a', 'b', 'c', 'd'] as const
const bookType = {
  id: 'book-type',
  name: 'Book',
  slug: 'book',
  schema: [
    ...NAMES.map((name) => ({ name, type: 'number' as const })),
    { name: 'author', type: 'string', required: true },
  ],
} as const

interface Change {
  readonly index: number
  readonly patch: UpdateMinionInput
  readonly ifRevision: 'right' | 'wrong' | undefined
  readonly by: string | undefined
  readonly type: 'book' | 'thought' | undefined
}

const value = fc.constantFrom(0, 1, -2.5, null, 'no number')
const changes: fc.Arbitrary<Change> = fc.record({
  index: fc.nat({ max: 4 }),
  patch: fc.record(
    {
      title: fc.constantFrom('T', 'Another', ''),
      tags: fc.constantFrom(['x'], [], null),
      fields: fc.dictionary(fc.constantFrom(...NAMES, 'author', 'unknown'), value, { maxKeys: 3 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<UpdateMinionInput>,
  ifRevision: fc.constantFrom('right', 'wrong', undefined, undefined),
  by: fc.constantFrom('ada', undefined),
  type: fc.constantFrom('book', 'thought', undefined, undefined, undefined),
})

/** A client with four books; times and ids are the same every time. */
async function open() {
  let time = 1_750_000_000_000
  let id = 0
  const minions = await Minions.open({
    storage: memoryStorage(),
    types: [bookType],
    clock: () => time,
    generateId: () => `id-${id++}`,
  })
  const books = await minions.createMany(
    'book',
    NAMES.map((name) => ({ title: name, fields: { author: name } })),
  )
  const told: unknown[] = []
  minions.on('minion.updated', ({ record, by }) => told.push({ record, by }))
  const pass = () => {
    time += 1000
  }
  return { minions, ids: [...books.map((book) => book.id), 'nowhere'], told, pass }
}

/** What comes of a change: the minion, or the code of the error. */
async function outcome(work: Promise<Minion>): Promise<unknown> {
  return work.catch((error: unknown) => (isMinionsError(error) ? error.code : error))
}

async function optionsOf(minions: Minions, id: string, { ifRevision, by, type }: Change) {
  const revision = ifRevision === 'right' ? ((await minions.getRecord(id))?.revision ?? 'none') : ifRevision
  return { ...(revision && { ifRevision: revision }), ...(by && { by }), ...(type && { type }) }
}

describe('an update', () => {
  it.each([1, 5, 40])('is the same alone and in a transaction, %i in a row', async (size) => {
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: size, maxLength: size }), async (list) => {
        const alone = await open()
        const inside = await open()
        for (const change of list) {
          const id = alone.ids[change.index] as string
          alone.pass()
          inside.pass()
          const options = await optionsOf(alone.minions, id, change)
          const insideOptions = await optionsOf(inside.minions, id, change)
          const got = await outcome(alone.minions.update(id, change.patch, options))
          const plain = inside.minions.transaction((tx) => tx.update(id, change.patch, insideOptions))
          expect(got).toEqual(await outcome(plain))
        }
        expect(alone.told).toEqual(inside.told)
        expect((await alone.minions.find()).items).toEqual((await inside.minions.find()).items)
        await alone.minions.close()
        await inside.minions.close()
      }),
      { seed: 21, numRuns: Math.ceil(80 / (size + 3)) },
    )
  })

  it.each([2, 8, 64])('is never lost, with %i callers at once', async (size) => {
    const { minions, ids } = await open()
    const id = ids[0] as string
    const schema = Array.from({ length: size }, (_, index) => ({ name: `n${index}`, type: 'number' as const }))
    await minions.types.evolve('book', [...bookType.schema, ...schema])
    await Promise.all(schema.map(({ name }, index) => minions.update(id, { fields: { [name]: index } })))
    const expected = Object.fromEntries(schema.map(({ name }, index) => [name, index]))
    expect((await minions.get(id))?.fields).toMatchObject(expected)
    await minions.close()
  })

  it('leaves nothing that does not fit the type, at whichever moment that changes', async () => {
    const schema = bookType.schema.map((field) => (field.name === 'a' ? { name: 'a', type: 'string' as const } : field))
    for (let steps = 0; steps < 120; steps++) {
      const { minions, ids } = await open()
      const evolving = minions.types.evolve('book', schema)
      for (let step = 0; step < steps; step++) await undefined
      const updated = await outcome(minions.update(ids[0] as string, { fields: { a: 1 } }))
      await evolving
      const { fields } = (await minions.get(ids[0] as string)) ?? {}
      expect(typeof fields?.a, `updated after ${steps} steps: ${JSON.stringify(updated)}`).not.toBe('number')
      await minions.close()
    }
  })

  it('fits the type as it is when that changed after the minion was read', async () => {
    const storage = memoryStorage()
    let hold: Promise<void> | undefined
    let release = () => {}
    const get = storage.get.bind(storage)
    const count = storage.count?.bind(storage)
    storage.get = async (collection, keys) => {
      const found = await get(collection, keys)
      if (collection === 'minions') await hold
      return found
    }
    // An evolution counts when the type is another one and no minion is migrated yet.
    storage.count = async (...args) => {
      release()
      await new Promise(setImmediate)
      return count?.(...args) ?? 0
    }
    const minions = await Minions.open({ storage, types: [bookType] })
    const { id } = await minions.create('book', { title: 'Emma', fields: { author: 'Austen', a: 1 } })
    hold = new Promise((resolve) => {
      release = resolve
    })
    const updating = minions.update(id, { fields: { a: 5 } })
    const transform = { a: (value: unknown) => Number(value) * 100 }
    await minions.types.evolve('book', [...bookType.schema, { name: 'shelf', type: 'string' }], { transform })
    expect((await updating).fields).toMatchObject({ author: 'Austen', a: 5 })
    expect((await minions.get(id))?.fields).toMatchObject({ author: 'Austen', a: 5 })
    await minions.close()
  })

  it('fits the type as it is, at whichever moment that changes', async () => {
    // Far enough for an evolution in memory to begin, to commit and to tell of it.
    for (let steps = 0; steps < 120; steps++) {
      const { minions, ids } = await open()
      const evolving = minions.types.evolve('book', [
        ...bookType.schema,
        { name: 'shelf', type: 'string', defaultValue: 'new' },
      ])
      for (let step = 0; step < steps; step++) await undefined
      await minions.update(ids[0] as string, { fields: { a: 1 } })
      await evolving
      expect((await minions.get(ids[0] as string))?.fields, `updated after ${steps} steps`).toEqual({
        author: 'a',
        a: 1,
        shelf: 'new',
      })
      await minions.close()
    }
  })
})
