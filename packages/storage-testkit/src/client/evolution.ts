import { defineType, type FieldDefinition, type Minions } from '@minions/core'
import { expect } from 'vitest'
import { casesOnClient } from '../case.js'
import type { Context } from '../context.js'
import { failing } from '../decorators/failing.js'
import { failure } from '../failure.js'
import { times } from '../times.js'
import { changesNothing, listen } from './support.js'

const cardType = defineType({
  id: 'kit-card',
  name: 'Card',
  slug: 'kit-card',
  schema: [
    { name: 'front', type: 'string', required: true },
    { name: 'score', type: 'number' },
    { name: 'deck', type: 'string' },
  ],
})

/** Removes deck, turns score into a string, adds level with a default. */
const NEW_SCHEMA: FieldDefinition[] = [
  { name: 'front', type: 'string', required: true },
  { name: 'score', type: 'string' },
  { name: 'level', type: 'string', defaultValue: 'one' },
]

/** Minions for three batches, the last of them not full, and for two. */
const COUNT = 1100
const TWO_BATCHES = 550

const padded = (index: number) => `card-${String(index).padStart(4, '0')}`

function inputs(count: number) {
  return times(count, (index) => ({
    id: padded(index),
    title: padded(index),
    fields: { front: 'f', score: index, deck: 'd' },
  }))
}

/** True if every card has the new shape, with removed values kept. */
async function allMigrated(client: Minions, count: number): Promise<void> {
  const { items } = await client.find({
    type: 'kit-card',
    limit: 10_000,
    orderBy: [{ field: 'id' }],
    includeDeleted: true,
  })
  expect(items).toHaveLength(count)
  // One assertion for all: one for each of a thousand minions takes longer than to read them.
  const unmigrated = items.filter(
    ({ fields: { front, level, score, deck } }) =>
      front !== 'f' || typeof level !== 'string' || deck !== undefined || typeof score === 'number',
  )
  expect(unmigrated).toEqual([])
}

/** A client whose evolution was interrupted after the job was stored and one batch was migrated. */
async function interrupted(first: Minions, context: Context, forGood = false): Promise<Minions> {
  await first.createMany('kit-card', inputs(TWO_BATCHES))
  const broken = failing(context.backend, (n) => (forGood ? n > 2 : n === 3))
  const client = await context.client({ storage: broken })
  await failure(client.types.evolve('kit-card', NEW_SCHEMA, { by: 'anna' }), 'STORAGE_UNAVAILABLE')
  return client
}

/** Giving a type a new schema while it has minions. */
export const evolution = casesOnClient('evolution of types', [cardType], {
  'incompatible values move to _legacy, defaults are applied, and the report lists both': async (client, context) => {
    await client.createMany('kit-card', inputs(3))
    const plain = await client.create('kit-card', { title: 'plain', fields: { front: 'f', own: 'unknown' } })
    const before = client.types.get('kit-card')
    const report = await client.types.evolve('kit-card', NEW_SCHEMA)
    expect(report.checked).toBe(4)
    expect(report.minions.find(({ id }) => id === padded(1))).toEqual({
      id: padded(1),
      movedToLegacy: ['score', 'deck'],
      restored: [],
      transformed: [],
      transformErrors: [],
      defaulted: ['level'],
      missingRequired: [],
      keptInvalid: [],
    })
    expect(await client.get(padded(1))).toMatchObject({
      fields: { front: 'f', level: 'one' },
      _legacy: { score: 1, deck: 'd' },
    })
    expect((await client.get(plain.id))?.fields).toEqual({ front: 'f', own: 'unknown', level: 'one' })
    const after = client.types.get('kit-card')
    expect(after?.schema).toEqual(NEW_SCHEMA)
    expect(after?.createdAt).toBe(before?.createdAt)
    expect((after?.updatedAt ?? '') > (before?.updatedAt ?? '')).toBe(true)
    await failure(client.update(padded(1), { fields: { score: 5 } }), 'VALIDATION_FAILED')
    const again = await context.clientAgain({ types: [cardType] })
    expect(again.types.get('kit-card')?.schema).toEqual(NEW_SCHEMA)
    await allMigrated(again, 4)
  },

  'a field made required flags the minions that lack it and alters nothing else': async (client) => {
    await client.create('kit-card', { id: 'lacks', title: 'x', fields: { front: 'f' } })
    await client.create('kit-card', { id: 'has', title: 'x', fields: { front: 'f', score: 1 } })
    const schema = cardType.schema.map((field) => (field.name === 'score' ? { ...field, required: true } : field))
    const report = await client.types.evolve('kit-card', schema)
    expect(report.minions.map(({ id, missingRequired }) => [id, missingRequired])).toEqual([['lacks', ['score']]])
    expect((await client.get('lacks'))?.fields).toEqual({ front: 'f' })
  },

  'dryRun and planEvolution report the same and change nothing': async (client) => {
    await client.createMany('kit-card', inputs(5))
    await client.softDelete(padded(2))
    await changesNothing(client, async () => {
      const plan = await client.types.planEvolution('kit-card', NEW_SCHEMA)
      expect(plan.checked).toBe(5)
      expect(plan.minions).toHaveLength(5)
      expect(await client.types.evolve('kit-card', NEW_SCHEMA, { dryRun: true })).toEqual(plan)
    })
    const before = await client.types.planEvolution('kit-card', NEW_SCHEMA)
    const done = await client.types.evolve('kit-card', NEW_SCHEMA)
    expect([...done.minions].sort(byId)).toEqual([...before.minions].sort(byId))
    expect(done.changes).toEqual(before.changes)
  },

  'an unknown type or an unusable schema is refused and nothing is written': async (client) => {
    await client.createMany('kit-card', inputs(2))
    await changesNothing(client, async () => {
      await failure(client.types.evolve('nonsense', NEW_SCHEMA), 'NOT_FOUND')
      await failure(client.types.planEvolution('nonsense', NEW_SCHEMA), 'NOT_FOUND')
      const bad = [{ name: 'x', type: 'string', validation: { pattern: '[' } }] as FieldDefinition[]
      await failure(client.types.evolve('kit-card', bad), 'INVALID_TYPE')
      await failure(client.types.planEvolution('kit-card', bad), 'INVALID_TYPE')
      expect(client.types.get('kit-card')?.schema).toEqual(cardType.schema)
    })
  },

  'many minions are migrated batch by batch, with progress and one event': async (client) => {
    await client.createMany('kit-card', inputs(COUNT))
    const told = listen(client)
    const progress: { done: number; total: number }[] = []
    const report = await client.types.evolve('kit-card', NEW_SCHEMA, {
      by: 'anna',
      onProgress: (step) => progress.push(step),
    })
    expect(report.checked).toBe(COUNT)
    expect(report.minions).toHaveLength(COUNT)
    expect(progress.length).toBeGreaterThan(1)
    expect(progress.at(-1)).toEqual({ done: COUNT, total: COUNT })
    expect(told).toMatchObject([{ name: 'type.evolved', id: 'kit-card', by: 'anna' }])
    await allMigrated(client, COUNT)
  },

  'after a crash in the middle, opening the store again finishes it': async (_, context) => {
    for (const batches of [0, 1, 2]) {
      const backend = batches === 0 ? context.backend : await context.another()
      const first = await context.client({ storage: backend, types: [cardType] })
      await first.createMany('kit-card', inputs(TWO_BATCHES))
      const broken = await context.client({ storage: failing(backend, (n) => n > batches + 1) })
      await failure(broken.types.evolve('kit-card', NEW_SCHEMA), 'STORAGE_UNAVAILABLE')
      const again = await context.client({ storage: backend })
      expect(again.types.get('kit-card')?.schema).toEqual(NEW_SCHEMA)
      await allMigrated(again, TWO_BATCHES)
      expect((await again.get(padded(TWO_BATCHES - 1)))?._legacy).toEqual({ score: TWO_BATCHES - 1, deck: 'd' })
      const repeated = await again.types.evolve('kit-card', NEW_SCHEMA)
      expect(repeated.minions).toEqual([])
    }
  },

  'after a crash and a restart the job is finished once': async (client, context) => {
    await interrupted(client, context, true)
    await context.reopen()
    const again = await context.client()
    await allMigrated(again, TWO_BATCHES)
    expect((await again.get(padded(3)))?._legacy).toEqual({ score: 3, deck: 'd' })
  },

  'a minion read or found before its turn is migrated on the way': async (first, context) => {
    const client = await interrupted(first, context)
    for (const id of [padded(0), padded(TWO_BATCHES - 1)]) {
      const read = await client.get(id)
      expect(read?.fields).toMatchObject({ front: 'f', level: 'one' })
      expect(read?._legacy).toMatchObject({ deck: 'd' })
    }
    await allMigrated(client, TWO_BATCHES)
  },

  'a minion written before its turn is migrated on the way, and once': async (first, context) => {
    const client = await interrupted(first, context)
    const late = [padded(TWO_BATCHES - 1), padded(TWO_BATCHES - 2), padded(TWO_BATCHES - 3)] as const
    const updated = await client.update(late[0], { fields: { score: 'text', level: 'two' } })
    expect(updated).toMatchObject({
      fields: { front: 'f', score: 'text', level: 'two' },
      _legacy: { score: TWO_BATCHES - 1, deck: 'd' },
    })
    await client.softDelete(late[1])
    await client.hardDelete(late[2])
    await client.create('kit-card', { id: 'card-zzz', title: 'new', fields: { front: 'f', level: 'own' } })
    await failure(client.update(padded(TWO_BATCHES - 4), { fields: { score: 5 } }), 'VALIDATION_FAILED')
    const again = await context.clientAgain()
    await allMigrated(again, TWO_BATCHES)
    expect(await again.get(late[0])).toEqual(updated)
    expect(await again.get(late[1])).toMatchObject({ deletedAt: expect.any(String), _legacy: { deck: 'd' } })
    expect((await again.get('card-zzz'))?.fields).toEqual({ front: 'f', level: 'own' })
  },

  'minions created or updated right after the switch have the new schema': async (client) => {
    await client.createMany('kit-card', inputs(3))
    const evolved = client.types.evolve('kit-card', NEW_SCHEMA)
    const created = ['a', 'b', 'c'].map((title) => client.create('kit-card', { title, fields: { front: 'f' } }))
    const updated = client.update(padded(2), { title: 'other' })
    await Promise.all([evolved, updated, ...created])
    await allMigrated(client, 6)
    expect(await client.get(padded(2))).toMatchObject({ title: 'other', _legacy: { score: 2, deck: 'd' } })
  },

  'a client that does not know of an evolution migrates what it updates': async (mine, context) => {
    await mine.createMany('kit-card', inputs(3))
    const theirs = await context.client({ storage: failing(await context.connect(), (n) => n > 1) })
    await failure(theirs.types.evolve('kit-card', NEW_SCHEMA), 'STORAGE_UNAVAILABLE')
    expect(await mine.update(padded(2), { title: 'other' })).toMatchObject({
      fields: { front: 'f', level: 'one' },
      _legacy: { score: 2, deck: 'd' },
    })
  },

  'while one evolution is running another of the same type is CONFLICT': async (first, context) => {
    const client = await interrupted(first, context)
    await failure(client.types.evolve('kit-card', cardType.schema), 'CONFLICT')
  },

  'values in _legacy are restored when the type evolves back': async (client) => {
    await client.createMany('kit-card', inputs(3))
    const before = await client.find({ type: 'kit-card', orderBy: [{ field: 'id' }] })
    await client.types.evolve('kit-card', NEW_SCHEMA)
    await client.update(padded(1), { fields: { score: 'five' } })
    const report = await client.types.evolve('kit-card', cardType.schema)
    expect(report.minions.map(({ restored }) => restored)).toEqual(Array(3).fill(['score', 'deck']))
    const after = await client.find({ type: 'kit-card', orderBy: [{ field: 'id' }] })
    expect(after.items.map(({ fields }) => fields)).toEqual(before.items.map(({ fields }) => fields))
    // Values that the type no longer has, or that are invalid for it, are set aside in turn.
    expect(after.items.map(({ _legacy }) => _legacy)).toEqual([
      { level: 'one' },
      { level: 'one', score: 'five' },
      { level: 'one' },
    ])
    await client.types.evolve('kit-card', NEW_SCHEMA)
    expect(await client.get(padded(1))).toMatchObject({
      fields: { front: 'f', score: 'five', level: 'one' },
      _legacy: { score: 1, deck: 'd' },
    })
  },

  'a value that is set aside twice is kept twice, and the newer one takes precedence': async (client) => {
    await client.create('kit-card', { id: 'c', title: 'c', fields: { front: 'f', deck: 'first' } })
    const without = cardType.schema.filter(({ name }) => name !== 'deck')
    await client.types.evolve('kit-card', without)
    await client.update('c', { fields: { deck: 'second' } })
    await client.types.evolve('kit-card', cardType.schema)
    expect(await client.get('c')).toMatchObject({ fields: { deck: 'second' }, _legacy: { deck: 'first' } })
    await client.types.evolve('kit-card', without)
    const legacy = (await client.get('c'))?._legacy ?? {}
    expect(legacy.deck).toBe('second')
    expect(Object.entries(legacy).find(([name]) => name.startsWith('deck@'))?.[1]).toBe('first')
  },

  'a client learns of an evolution that another client on the same data has made': async (mine, context) => {
    const theirs = await context.client({ storage: await context.connect() })
    await mine.createMany('kit-card', inputs(3))
    await theirs.types.evolve('kit-card', NEW_SCHEMA)
    await failure(mine.update(padded(0), { fields: { score: 5 } }), 'VALIDATION_FAILED')
    const created = await mine.create('kit-card', { title: 'x', fields: { front: 'f' } })
    expect(created.fields).toEqual({ front: 'f', level: 'one' })
  },
})

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}
