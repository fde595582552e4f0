import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineCollection, minionsCollection } from '../../src/storage/index.js'
import { MemoryEngine, type MemoryTransaction } from '../../src/storage/memory/index.js'

const people = defineCollection({
  name: 'people',
  version: 1,
  schema: Type.Object({ id: Type.String(), email: Type.Optional(Type.String()) }),
  key: 'id',
  columns: { email: { type: 'string', unique: true } },
})

const pets = defineCollection({
  name: 'pets',
  version: 1,
  schema: Type.Object({ id: Type.String(), owner: Type.String() }),
  key: 'id',
  columns: { owner: 'string' },
  references: [{ columns: ['owner'], collection: 'people' }],
})

function engineWith(): MemoryEngine {
  const engine = new MemoryEngine()
  engine.declare([people, pets])
  engine.insert('people', people.toWrite({ id: 'a', email: '1' }, 'r1'))
  engine.insert('pets', pets.toWrite({ id: 'p', owner: 'a' }, 'r2'))
  return engine
}

describe('rows that come from outside a transaction', () => {
  it('are checked for unique values and only for those', async () => {
    const engine = engineWith()
    const twin = people.toWrite({ id: 'b', email: '1' }, 'r3')
    expect(() => engine.insert('people', twin)).toThrow(expect.objectContaining({ code: 'UNIQUE_VIOLATION' }))
    expect(engine.row('people', 'b')).toBeUndefined()
    const other = people.toWrite({ id: 'b', email: '2' }, 'r4')
    engine.insert('people', other, { dryRun: true })
    expect(engine.row('people', 'b')).toBeUndefined()
    engine.insert('people', other)
    expect(engine.row('people', 'b')).toBe(other)
    engine.insert('pets', pets.toWrite({ id: 'q', owner: 'nobody' }, 'r5'))
    expect([...engine.rows('pets')].map(({ key }) => key)).toEqual(['p', 'q'])
  })

  it('can go, and what refers to them can be found', () => {
    const engine = engineWith()
    engine.remove('people', 'a')
    expect(engine.row('people', 'a')).toBeUndefined()
    expect([...engine.referrers('people', 'a')].map(({ collection, row }) => [collection, row.key])).toEqual([
      ['pets', 'p'],
    ])
    expect([...engine.referrers('people', 'b')]).toEqual([])
    engine.insert('people', people.toWrite({ id: 'c', email: '1' }, 'r6'))
    expect(engine.row('nothing', 'a')).toBeUndefined()
  })
})

describe('transactions on top of one that is not committed', () => {
  const person = (id: string, email: string) => people.toWrite({ id, email }, `${id}/${email}`)
  const pet = (id: string, owner: string) => pets.toWrite({ id, owner }, `${id}/${owner}`)
  const everything = { words: [], order: [], keyDirection: 'asc', limit: 100 } as const

  /** Runs transactions one on top of the other, as a group does; those that are refused leave nothing behind. */
  function groupOn(engine: MemoryEngine) {
    const written = engine.begin()
    const run = (work: (tx: MemoryTransaction) => void) => {
      const tx = engine.begin(written)
      work(tx)
      engine.verify(tx)
      written.absorb(tx)
    }
    return { run, peek: () => engine.begin(written), commit: () => engine.commit(written) }
  }
  const put = (tx: MemoryTransaction, ...rows: ReturnType<typeof person>[]) =>
    tx.write({ collection: 'people', puts: rows, deletes: [], checks: [] })
  const putPet = (tx: MemoryTransaction, row: ReturnType<typeof pet>) =>
    tx.write({ collection: 'pets', puts: [row], deletes: [], checks: [] })
  const remove = (tx: MemoryTransaction, collection: string, key: string) =>
    tx.write({ collection, puts: [], deletes: [{ key }], checks: [] })
  const refusedFor = (code: string) => expect.objectContaining({ code })

  it('see what it has written and removed, and what they write themselves is seen by none before they leave', async () => {
    const engine = engineWith()
    const { run, peek, commit } = groupOn(engine)
    run((tx) => put(tx, person('b', '2'), person('c', '3')))
    run((tx) => remove(tx, 'people', 'b'))
    const tx = peek()
    put(tx, person('d', '4'))
    const keys = async (reader: MemoryTransaction | MemoryEngine) => {
      const found = (await reader.query('people', everything)).map(({ key }) => key)
      expect(await reader.count('people', { words: [] })).toBe(found.length)
      const got = await reader.get('people', ['a', 'b', 'c', 'd'])
      expect(got.flatMap((record) => record?.key ?? []).sort()).toEqual(found)
      return found
    }
    expect(await keys(tx)).toEqual(['a', 'c', 'd'])
    expect(await keys(peek())).toEqual(['a', 'c'])
    expect(await keys(engine)).toEqual(['a'])
    commit()
    expect(await keys(engine)).toEqual(['a', 'c'])
  })

  it('are held to its revisions', () => {
    const { run } = groupOn(engineWith())
    run((tx) => put(tx, person('b', '2')))
    const check = (expected: string | null) => (tx: MemoryTransaction) =>
      tx.write({ collection: 'people', puts: [], deletes: [], checks: [{ key: 'b', expect: expected }] })
    run(check('b/2'))
    expect(() => run(check(null))).toThrow(refusedFor('CONFLICT'))
    expect(() => run((tx) => put(tx, { ...person('b', '5'), expect: null }))).toThrow(refusedFor('CONFLICT'))
  })

  it('can take a unique value that they gave up themselves, with a record that no one else ever saw', () => {
    const { run } = groupOn(engineWith())
    run((tx) => {
      put(tx, person('b', '2'))
      remove(tx, 'people', 'b')
      put(tx, person('c', '2'))
    })
    expect(() => run((tx) => put(tx, person('d', '2')))).toThrow(refusedFor('UNIQUE_VIOLATION'))
  })

  it('cannot take a unique value that it has taken, and can take one that it gave up', () => {
    const engine = engineWith()
    const { run, commit } = groupOn(engine)
    run((tx) => put(tx, person('b', '2')))
    expect(() => run((tx) => put(tx, person('c', '2')))).toThrow(refusedFor('UNIQUE_VIOLATION'))
    expect(() => run((tx) => put(tx, person('c', '1')))).toThrow(refusedFor('UNIQUE_VIOLATION'))
    run((tx) => put(tx, person('b', '3')))
    run((tx) => put(tx, person('c', '2')))
    // Two exchange their values, which a third wants then.
    run((tx) => {
      put(tx, people.toWrite({ id: 'b' }, 'b/none'))
      put(tx, person('c', '3'), person('b', '2'))
    })
    expect(() => run((tx) => put(tx, person('d', '2')))).toThrow(refusedFor('UNIQUE_VIOLATION'))
    expect(() => run((tx) => put(tx, person('d', '3')))).toThrow(refusedFor('UNIQUE_VIOLATION'))
    run((tx) => remove(tx, 'people', 'b'))
    run((tx) => put(tx, person('d', '2')))
    expect(() => run((tx) => put(tx, person('e', '2')))).toThrow(refusedFor('UNIQUE_VIOLATION'))
    commit()
    expect([...engine.rows('people')].map(({ revision }) => revision).sort()).toEqual(['c/3', 'd/2', 'r1'])
  })

  it('may refer to what it has written, and not to what it has removed', () => {
    const engine = engineWith()
    const { run, commit } = groupOn(engine)
    run((tx) => put(tx, person('b', '2'), person('c', '3')))
    run((tx) => putPet(tx, pet('q', 'b')))
    run((tx) => remove(tx, 'people', 'c'))
    expect(() => run((tx) => putPet(tx, pet('s', 'c')))).toThrow(refusedFor('REFERENCE_VIOLATION'))
    commit()
    expect(engine.row('pets', 'q')).toMatchObject({ revision: 'q/b' })
    expect(engine.row('pets', 's')).toBeUndefined()
  })

  it('can remove what nothing refers to, whatever else it refers to', () => {
    const engine = engineWith()
    const { run, commit } = groupOn(engine)
    run((tx) => putPet(tx, pet('q', 'a')))
    run((tx) => remove(tx, 'pets', 'p'))
    commit()
    expect([...engine.rows('pets')].map(({ key }) => key)).toEqual(['q'])
  })

  it('cannot remove what it refers to, committed or not, unless the reference is gone', () => {
    const engine = engineWith()
    const { run, commit } = groupOn(engine)
    run((tx) => put(tx, person('b', '2')))
    run((tx) => putPet(tx, pet('q', 'b')))
    for (const key of ['a', 'b']) {
      expect(() => run((tx) => remove(tx, 'people', key))).toThrow(refusedFor('REFERENCE_VIOLATION'))
    }
    run((tx) => putPet(tx, pet('p', 'b')))
    const removeOneOfTwo = (tx: MemoryTransaction) => {
      remove(tx, 'people', 'b')
      remove(tx, 'pets', 'q')
    }
    expect(() => run(removeOneOfTwo)).toThrow(refusedFor('REFERENCE_VIOLATION'))
    run((tx) => remove(tx, 'people', 'a'))
    run((tx) => {
      remove(tx, 'people', 'b')
      remove(tx, 'pets', 'q')
      remove(tx, 'pets', 'p')
    })
    commit()
    expect([...engine.rows('people'), ...engine.rows('pets')]).toEqual([])
  })
})

describe('a collection', () => {
  it('extracts the same of a stored record as of a new one', () => {
    const record = { id: 'p', owner: 'a' }
    const stored = pets.fromStored(record, 'r')
    expect(stored.record).toBe(record)
    expect({ ...stored }).toEqual({ ...pets.toWrite(record, 'r') })
  })

  it('brings up to date what follows from other properties, if it knows how', () => {
    expect(pets.derive({ id: 'p' })).toEqual({ id: 'p' })
    const minion = {
      id: 'm',
      title: 'New Title',
      tags: ['Tag'],
      fields: { content: 'Text', n: 1 },
      searchableText: 'old',
    }
    expect(minionsCollection.derive(minion)).toEqual({ ...minion, searchableText: 'new title tag text' })
  })
})

describe('a query in memory', () => {
  const letters = defineCollection({
    name: 'letters',
    version: 1,
    schema: Type.Object({ id: Type.String(), sender: Type.String(), sentAt: Type.String() }),
    key: 'id',
    columns: { sender: 'string', sentAt: 'string' },
    indexes: [['sender', 'sentAt']],
    createdAt: 'sentAt',
  })

  it('reads the rows of its range, however long a page may be', async () => {
    const engine = new MemoryEngine()
    engine.declare([letters])
    let reads = 0
    for (let count = 0; count < 1000; count++) {
      const letter = { id: `l${count}`, sender: `s${count % 500}`, sentAt: String(count).padStart(4, '0') }
      const write = letters.toWrite(letter, 'r1')
      const record = Object.defineProperty({ ...write.record }, 'stamp', { get: () => ++reads, enumerable: true })
      engine.insert('letters', { ...write, record })
    }
    const stamp = { op: 'isNull', operand: { path: ['stamp'] } } as const
    const sender = { op: 'eq', operand: { path: ['sender'], column: 0 }, value: 's7' } as const
    const found = await engine.query('letters', {
      where: { op: 'and', conditions: [{ op: 'not', condition: stamp }, sender] },
      words: [],
      order: [{ operand: { path: ['sentAt'], column: 1 }, direction: 'asc' }],
      keyDirection: 'asc',
      limit: 100_001,
    })
    expect(found).toHaveLength(2)
    // Twice to match, and twice to copy what was found.
    expect(reads).toBe(4)
  })
})
