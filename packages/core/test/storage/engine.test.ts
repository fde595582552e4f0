import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineCollection, minionsCollection } from '../../src/storage/index.js'
import { MemoryEngine } from '../../src/storage/memory/index.js'

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
