import { defineType, type FieldDefinition, type Minions, type MinionsOptions } from '@minions/core'
import type { Transforms } from '@minions/core/evolution'
import { expect } from 'vitest'
import { casesOf } from '../case.js'
import type { Context } from '../context.js'
import { decorate } from '../decorators/decorate.js'
import { failing } from '../decorators/failing.js'
import { failure } from '../failure.js'
import { changesNothing } from './support.js'

const bookType = defineType({
  id: 'kit-book',
  name: 'Book',
  slug: 'kit-book',
  schema: [
    { name: 'year', type: 'string' },
    { name: 'shelf', type: 'string' },
  ],
})

/** Turns year into a number, removes shelf, adds label. */
const NEW_SCHEMA: FieldDefinition[] = [
  { name: 'year', type: 'number', defaultValue: 1900 },
  { name: 'label', type: 'string' },
]

const transform: Transforms = {
  year: (value) => {
    if (!/^\d+$/.test(String(value))) throw new Error(`${value} is not a year`)
    return Number(value)
  },
  label: (_, { title, fields }) => `${title} of ${fields.year}`,
}

const inCode = { type: { ...bookType, schema: NEW_SCHEMA }, transform }

async function withBooks(context: Context): Promise<Minions> {
  const client = await context.client({ types: [bookType] })
  for (const id of ['a', 'b', 'c']) {
    await client.create('kit-book', { id, title: id, fields: { year: '1984', shelf: 's' } })
  }
  return client
}

/** A client on the same data whose evolution was interrupted before the first batch. */
async function interrupted(context: Context): Promise<Minions> {
  await withBooks(context)
  const client = await context.client({ storage: failing(context.backend, (n) => n === 2) })
  await failure(client.types.evolve('kit-book', NEW_SCHEMA, { transform }), 'STORAGE_UNAVAILABLE')
  return client
}

async function expectConverted(client: Minions, ids = ['a', 'b', 'c']): Promise<void> {
  for (const id of ids) {
    const book = await client.get(id)
    expect(book?.fields, id).toEqual({ label: `${id} of 1984`, year: 1984 })
    expect(book?._legacy, id).toEqual({ shelf: 's' })
  }
}

export const evolutionTransforms = casesOf('conversions during an evolution', {
  'values are converted, failures are in _legacy, and the report lists them': async (context) => {
    const client = await withBooks(context)
    await client.create('kit-book', { id: 'd', title: 'd', fields: { year: 'MCM' } })
    const plan = await client.types.planEvolution('kit-book', NEW_SCHEMA, { transform })
    const report = await client.types.evolve('kit-book', NEW_SCHEMA, { transform })
    expect(report).toEqual(plan)
    await expectConverted(client)
    expect(await client.get('d')).toMatchObject({
      fields: { label: 'd of MCM', year: 1900 },
      _legacy: { year: 'MCM' },
    })
    expect(report.minions.find(({ id }) => id === 'a')).toMatchObject({
      transformed: ['year', 'label'],
      movedToLegacy: ['shelf'],
    })
    expect(report.minions.find(({ id }) => id === 'd')).toMatchObject({
      transformed: ['label'],
      movedToLegacy: ['year'],
      transformErrors: [{ field: 'year', message: expect.stringContaining('MCM is not a year') }],
    })
    await expectConverted(await context.clientAgain())
  },

  'a transform that names no field, or is not a function, is refused and nothing is written': async (context) => {
    const client = await withBooks(context)
    await changesNothing(client, async () => {
      for (const wrong of [{ yaer: Number }, { shelf: String }, { year: 'Number' }, 'year', null]) {
        const options = { transform: wrong as Transforms }
        await failure(client.types.evolve('kit-book', NEW_SCHEMA, options), 'VALIDATION_FAILED')
        await failure(client.types.planEvolution('kit-book', NEW_SCHEMA, options), 'VALIDATION_FAILED')
      }
    })
  },

  'evolving again to the current schema converts nothing twice': async (context) => {
    const client = await withBooks(context)
    await client.types.evolve('kit-book', NEW_SCHEMA, { transform })
    const twice = { year: (value: unknown) => Number(value) * 2 }
    await client.types.evolve('kit-book', NEW_SCHEMA, { transform: twice })
    await expectConverted(client)
  },

  'after an interruption the client that has the functions reads and writes converted values': async (context) => {
    const client = await interrupted(context)
    await expectConverted(client)
    expect((await client.update('b', { fields: { label: 'own' } })).fields).toEqual({ label: 'own', year: 1984 })
  },

  'opening without the functions leaves an interrupted evolution to a client that has them': async (context) => {
    await interrupted(context)
    const client = await context.clientAgain()
    const problems = await client.problems()
    expect(problems).toMatchObject([{ code: 'EVOLUTION_WAITING', details: { transforms: ['year', 'label'] } }])
    // Until then the old value is not lost, and no default replaces it.
    expect(await client.get('a')).toMatchObject({ fields: {}, _legacy: { year: '1984', shelf: 's' } })
    const error = await failure(client.types.evolve('kit-book', NEW_SCHEMA), 'CONFLICT')
    expect(error.message).toContain('year, label')
    await failure(client.types.evolve('kit-book', bookType.schema), 'CONFLICT')
    await client.types.evolve('kit-book', NEW_SCHEMA, { transform })
    await expectConverted(client)
    expect(await (await context.client()).problems()).toEqual([])
  },

  'minions written meanwhile without the functions are converted afterwards': async (context) => {
    await interrupted(context)
    const without = await context.clientAgain()
    expect((await without.update('a', { title: 'a' })).fields).toEqual({})
    await without.update('b', { fields: { year: 2001 } })
    await without.softDelete('c')
    await without.create('kit-book', { id: 'd', title: 'd', fields: { year: 3 } })
    const report = await without.types.evolve('kit-book', NEW_SCHEMA, { transform })
    await expectConverted(without, ['a', 'c'])
    expect(await without.get('b')).toMatchObject({ fields: { year: 2001 }, _legacy: { year: '1984' } })
    expect((await without.get('d'))?.fields).toEqual({ year: 3 })
    expect(report.minions.find(({ id }) => id === 'a')).toMatchObject({
      transformed: ['year', 'label'],
      movedToLegacy: ['shelf'],
    })
  },

  'opening with the functions finishes an interrupted evolution': async (context) => {
    await interrupted(context)
    const client = await context.clientAgain({ types: [inCode] })
    expect(await client.problems()).toEqual([])
    await expectConverted(client)
  },

  'a type that differs from the stored one is kept and logged, refused, or evolved': async (context) => {
    const first = await withBooks(context)
    const lines: string[] = []
    const options: Partial<MinionsOptions> = { types: [inCode], logger: logTo(lines) }
    const fresh = defineType({ id: 'kit-new', name: 'New', slug: 'kit-new', schema: [] })
    await changesNothing(first, async () => {
      const kept = await context.client(options)
      expect(kept.types.get('kit-book')?.schema).toEqual(bookType.schema)
      expect(await kept.problems()).toMatchObject([{ code: 'TYPE_DIFFERS', details: { slug: 'kit-book' } }])
      expect(lines).toEqual([expect.stringMatching(/^warn .*"kit-book".*year: number in code, string in the store/)])
      // A client that fails to open closes its backend, which others use here.
      const storage = decorate(context.backend, { close: async () => {} })
      const refused = context.client({ ...options, storage, types: [inCode, fresh], onTypeDiffers: 'fail' })
      const error = await failure(refused, 'TYPE_DIFFERS')
      expect(error.message).toMatch(/"kit-book".*year: number in code, string in the store.*shelf: only in the store/)
    })
    const evolved = await context.client({ ...options, onTypeDiffers: 'evolve' })
    expect(evolved.types.get('kit-book')?.schema).toEqual(NEW_SCHEMA)
    expect(await evolved.problems()).toEqual([])
    await expectConverted(evolved)
  },
})

function logTo(lines: string[]): NonNullable<MinionsOptions['logger']> {
  const log = (level: string) => (message: string) => void lines.push(`${level} ${message}`)
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  return { ...logger, child: () => logTo(lines) }
}
