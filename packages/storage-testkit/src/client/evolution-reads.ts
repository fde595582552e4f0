import { defineType, type FieldDefinition, type Minion, type Minions, type MinionsAccess } from '@minions/core'
import type { StorageBackend } from '@minions/core/storage'
import { expect } from 'vitest'
import { casesOf } from '../case.js'
import type { Context } from '../context.js'
import { decorate } from '../decorators/decorate.js'
import { failing } from '../decorators/failing.js'
import { failure } from '../failure.js'
import { times } from '../times.js'
import { contentOf } from './support.js'

const NEW_SCHEMA: FieldDefinition[] = [
  { name: 'score', type: 'string' },
  { name: 'level', type: 'string', defaultValue: 'one' },
]

/** Enough minions for several batches. */
const MANY = 1100

type Read = (client: MinionsAccess, type: string) => Promise<readonly (Minion | undefined)[]>

/** Every operation that returns minions, each for minions of one type. */
const READS: Readonly<Record<string, Read>> = {
  get: async (client, type) => [await client.get(`${type}-1`)],
  'get-record': async (client, type) => [(await client.getRecord(`${type}-1`))?.minion],
  find: async (client, type) => (await client.find({ type })).items,
  'find-any': async (client, type) => (await client.find({ where: { title: type } })).items,
  search: async (client, type) => (await client.search('findable', { type })).items,
  children: (client, type) => client.children(`${type}-0`),
  parents: (client, type) => client.parents(`${type}-1`),
  descendants: (client, type) => client.descendants(`${type}-0`),
  ancestors: (client, type) => client.ancestors(`${type}-2`),
  network: (client, type) => client.network(`${type}-1`),
  path: (client, type) => client.path(`${type}-0`, `${type}-2`),
  order: async (client, type) =>
    (await client.topologicalOrder('parent_of')).filter(({ minionTypeId }) => minionTypeId === type),
  export: async (client, type) =>
    (await contentOf(client, {}))
      .map((line): Minion | undefined => JSON.parse(line).record)
      .filter((record) => record?.minionTypeId === type),
}

/** The reads that a backend supports, by name. */
function readsOn({ backend }: Context): [string, Read][] {
  return Object.entries(READS).filter(([name]) => name !== 'search' || backend.capabilities.search)
}

function typeOf(slug: string) {
  return defineType({ id: slug, name: slug, slug, schema: [{ name: 'score', type: 'number' }] })
}

function inputs(type: string, count: number) {
  return times(count, (index) => ({
    id: `${type}-${index}`,
    title: type,
    description: 'findable',
    fields: { score: index + 1 },
  }))
}

function expectNewShape(minions: readonly (Minion | undefined)[], how: string): void {
  expect(minions, how).not.toHaveLength(0)
  // One assertion for all: one for each of thousands of minions takes longer than to read them.
  const oldShape = minions.filter(
    (minion) => JSON.stringify(minion?.fields) !== '{"level":"one"}' || typeof minion?._legacy?.score !== 'number',
  )
  expect(oldShape, how).toEqual([])
}

/** Stores a separate type for each read, with a chain of three minions. */
async function createChains(context: Context): Promise<void> {
  const types = Object.keys(READS).map((name) => typeOf(`kit-${name}`))
  const client = await context.client({ types })
  for (const { slug } of types) {
    await client.createMany(slug, inputs(slug, 3))
    await client.link({ sourceId: `${slug}-0`, targetId: `${slug}-1`, type: 'parent_of' })
    await client.link({ sourceId: `${slug}-1`, targetId: `${slug}-2`, type: 'parent_of' })
  }
}

/** Switches the schema of a type and stops there, as if the process had died. */
async function startEvolution(backend: StorageBackend, context: Context, type: string): Promise<Minions> {
  let allowed = Number.POSITIVE_INFINITY
  const client = await context.client({ storage: failing(backend, () => --allowed < 0) })
  allowed = 1
  await failure(client.types.evolve(type, NEW_SCHEMA), 'STORAGE_UNAVAILABLE')
  allowed = Number.POSITIVE_INFINITY
  return client
}

/**
 * A backend that does something once, right after minions were read outside a transaction and before they are returned.
 */
function interrupting(backend: StorageBackend): { backend: StorageBackend; once(work: () => Promise<unknown>): void } {
  let next: (() => Promise<unknown>) | undefined
  const interrupt = async (collection: string) => {
    const work = collection === 'minions' ? next : undefined
    if (work) next = undefined
    await work?.()
  }
  const decorated = decorate(backend, {
    async get(collection, keys) {
      const found = await backend.get(collection, keys)
      await interrupt(collection)
      return found
    },
    async query(collection, plan) {
      const found = await backend.query(collection, plan)
      await interrupt(collection)
      return found
    },
  })
  return {
    backend: decorated,
    once: (work) => {
      next = work
    },
  }
}

/** Reading minions while a type evolves: from the switch on they have the new shape, for every kind of read. */
export const evolutionReads = casesOf('reads during an evolution', {
  'every read returns the new shape before a minion is migrated, even inside a transaction': async (context) => {
    await createChains(context)
    for (const [name, read] of readsOn(context)) {
      const type = `kit-${name}`
      const client = await startEvolution(context.backend, context, type)
      expectNewShape(await read(client, type), name)
      expectNewShape(await client.transaction((tx) => read(tx, type)), `${name} in a transaction`)
    }
  },

  'every read returns the new shape when the evolution ends between its steps': async (context) => {
    await createChains(context)
    const { backend, once } = interrupting(context.backend)
    for (const [name, read] of readsOn(context)) {
      const type = `kit-${name}`
      const client = await startEvolution(backend, context, type)
      once(() => client.types.evolve(type, NEW_SCHEMA))
      expectNewShape(await read(client, type), name)
    }
  },

  'a client that does not know of an evolution reads the new shape': async (context) => {
    await createChains(context)
    const { backend, once } = interrupting(await context.connect())
    const theirs = await context.client({ storage: backend })
    for (const [name, read] of readsOn(context)) {
      const type = `kit-${name}`
      const mine = await startEvolution(context.backend, context, type)
      expectNewShape(await theirs.transaction((tx) => read(tx, type)), `${name} in a transaction`)
      once(() => mine.types.evolve(type, NEW_SCHEMA))
      expectNewShape(await read(theirs, type), name)
    }
  },

  'a client that does not know of an evolution writes the new shape': async (context) => {
    await createChains(context)
    const theirs = await context.client({ storage: await context.connect() })
    await startEvolution(context.backend, context, 'kit-get')
    expectNewShape([await theirs.softDelete('kit-get-0')], 'softDelete')
    expectNewShape([await theirs.restore('kit-get-0')], 'restore')
    expectNewShape([await theirs.update('kit-get-1', { title: 'other' })], 'update')
    expectNewShape([await theirs.hardDelete('kit-get-2')], 'hardDelete')
  },

  'a client that opens during an evolution updates to the new shape': async (context) => {
    const type = 'kit-late'
    const mine = await context.client({ types: [typeOf(type)] })
    await mine.create(type, { id: 'kit-plain', title: type, fields: {} })
    await startEvolution(context.backend, context, type)
    const late = await context.client({ storage: await context.connect() })
    expect((await late.update('kit-plain', { title: 'other' })).fields).toEqual({ level: 'one' })
  },

  'reads while the batches run return the new shape to every reader': async (context) => {
    const type = 'kit-many'
    const mine = await context.client({ types: [typeOf(type)] })
    await mine.createMany(type, inputs(type, MANY))
    const clients = [mine, ...(context.canConnect ? [await context.client({ storage: await context.connect() })] : [])]
    const reads: Promise<readonly (Minion | undefined)[]>[] = []
    await mine.types.evolve(type, NEW_SCHEMA, {
      onProgress: () => {
        for (const client of clients) {
          for (const index of [0, 600, MANY - 1]) reads.push(client.get(`${type}-${index}`).then((minion) => [minion]))
          reads.push(client.find({ type, limit: MANY }).then(({ items }) => items))
        }
      },
    })
    for (const minions of await Promise.all(reads)) expectNewShape(minions, 'a read behind the first batch')
  },
})
