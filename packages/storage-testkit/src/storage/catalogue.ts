import type { JsonObject } from '@minions/core/json'
import { expect } from 'vitest'
import { casesOf } from '../case.js'
import { failure } from '../failure.js'
import { times } from '../times.js'
import { accounts, documents, idsOf, owners, pets, plain, things } from './collections.js'

/** Versions of one collection: strings become lists, a column is added, a third version records their origin. */
const first = documents('kit_versions')

const split = (record: JsonObject): JsonObject => ({ ...record, labels: String(record.labels).split(',') })

const second = documents('kit_versions', {
  version: 2,
  columns: { labels: { type: 'strings', indexed: true }, code: { type: 'string', unique: true } },
  text: 'text',
  upgrades: { 1: split },
})

const third = documents('kit_versions', {
  version: 3,
  columns: { labels: { type: 'strings', indexed: true } },
  upgrades: { 1: split, 2: (record) => ({ ...record, upgraded: true }) },
})

export const catalogue = casesOf('catalogue and upgrades', {
  'the catalogue lists every collection, by name, as it was declared': async (context) => {
    const store = await context.open(things, accounts, plain)
    const declarations = [accounts, plain, things].map((collection) => collection.declaration)
    expect(await store.catalogue()).toEqual(declarations)
    expect(await (await context.openAgain(plain)).catalogue()).toEqual(declarations)
  },

  'opening again with the same collections changes nothing': async (context) => {
    const store = await context.open(things, plain)
    await store.put(things, { id: 'a', text: 'word', labels: ['x'] })
    const before = await store.getRevised(things, 'a')
    const again = await context.openAgain(plain, things)
    expect(await again.getRevised(things, 'a')).toEqual(before)
  },

  'an open store takes more collections': async (context) => {
    const store = await context.open(owners)
    await store.put(owners, { id: 'anna' })
    const more = await context.open(pets)
    await more.put(pets, { id: 'rex', owner: 'anna' })
    await failure(more.delete(owners, 'anna'), 'REFERENCE_VIOLATION')
    expect((await more.catalogue()).map(({ name }) => name)).toEqual([owners.name, pets.name])
  },

  'a higher version passes every record through its upgrades, with new revisions, columns and text': async (
    context,
  ) => {
    const store = await context.open(first)
    const ids = times(1200, (index) => `r${String(index).padStart(4, '0')}`)
    const records = ids.map((id, index) => ({ id, labels: `x,y${index}`, code: id, text: `word${index}` }))
    await store.putMany(first, records)
    const before = await store.getRevised(first, 'r0007')
    const upgraded = await context.openAgain(second)
    const after = await upgraded.getRevised(second, 'r0007')
    expect(after?.record).toEqual({ id: 'r0007', labels: ['x', 'y7'], code: 'r0007', text: 'word7' })
    expect(after?.revision).not.toBe(before?.revision)
    expect(await idsOf(upgraded, second)).toEqual(ids)
    expect(await idsOf(upgraded, second, { where: { labels: { contains: 'y42' } } })).toEqual(['r0042'])
    await failure(upgraded.put(second, { id: 'new', code: 'r0001' }), 'UNIQUE_VIOLATION')
    if (context.backend.capabilities.search) expect(await idsOf(upgraded, second, { text: 'WORD99' })).toHaveLength(11)
    expect((await upgraded.catalogue()).map(({ version }) => version)).toEqual([2])
  },

  'several versions are upgraded one after the other': async (context) => {
    const store = await context.open(first)
    await store.put(first, { id: 'a', labels: 'x,y' })
    const upgraded = await context.openAgain(third)
    expect(await upgraded.get(third, 'a')).toEqual({ id: 'a', labels: ['x', 'y'], upgraded: true })
    const again = await context.openAgain(third)
    expect(await again.get(third, 'a')).toEqual({ id: 'a', labels: ['x', 'y'], upgraded: true })
  },

  'a store of a newer version is refused and stays as it is': async (context) => {
    const store = await context.open(second)
    await store.put(second, { id: 'a', labels: ['x'] })
    await context.reopenIfPossible()
    await failure(context.open(first), 'STORAGE_VERSION')
    expect(await (await context.openAgain(second)).get(second, 'a')).toEqual({ id: 'a', labels: ['x'] })
  },

  'another declaration under the same version is refused': async (context) => {
    await context.open(first)
    await context.reopenIfPossible()
    const other = documents('kit_versions', { key: 'name' })
    await failure(context.open(other), 'STORAGE_VERSION')
  },

  'an upgrade that fails leaves the whole store unchanged, without the other new collections': async (context) => {
    const store = await context.open(first)
    await store.putMany(first, [
      { id: 'a', labels: 'x', code: 'same' },
      { id: 'b', labels: 'y', code: 'same' },
    ])
    await context.reopenIfPossible()
    await failure(context.open(plain, second), 'UNIQUE_VIOLATION')
    const again = await context.openAgain(first)
    expect(await again.get(first, 'a')).toEqual({ id: 'a', labels: 'x', code: 'same' })
    expect((await again.catalogue()).map(({ name, version }) => [name, version])).toEqual([['kit_versions', 1]])
  },

  'an upgrade whose code throws leaves the store as it was': async (context) => {
    const store = await context.open(first)
    await store.put(first, { id: 'a', labels: 'x' })
    await context.reopenIfPossible()
    const failing = documents('kit_versions', {
      version: 2,
      upgrades: {
        1: () => {
          throw new Error('cannot')
        },
      },
    })
    await expect(context.open(failing)).rejects.toThrow('cannot')
    expect(await (await context.openAgain(first)).get(first, 'a')).toEqual({ id: 'a', labels: 'x' })
  },

  'an upgrade that would leave a dangling reference is refused': async (context) => {
    const store = await context.open(owners, pets)
    await store.put(owners, { id: 'anna' })
    await store.put(pets, { id: 'rex', owner: 'anna', kind: 'dog' })
    await context.reopenIfPossible()
    const { name, references, columns } = pets.declaration
    const wild = documents(name, {
      references,
      version: 2,
      columns: Object.fromEntries(columns.map((column) => [column.name, column.type])),
      upgrades: { 1: (record) => ({ ...record, owner: 'nobody' }) },
    })
    await failure(context.open(owners, wild), 'REFERENCE_VIOLATION')
    expect(await (await context.openAgain(owners, pets)).get(pets, 'rex')).toMatchObject({ owner: 'anna' })
  },

  'a collection that others refer to can be upgraded': async (context) => {
    const store = await context.open(owners, pets)
    await store.put(owners, { id: 'anna' })
    await store.put(pets, { id: 'rex', owner: 'anna' })
    const newOwners = documents(owners.name, {
      version: 2,
      upgrades: { 1: (record) => ({ ...record, since: 2 }) },
    })
    const upgraded = await context.openAgain(newOwners, pets)
    expect(await upgraded.get(newOwners, 'anna')).toEqual({ id: 'anna', since: 2 })
    await failure(upgraded.delete(newOwners, 'anna'), 'REFERENCE_VIOLATION')
    await failure(upgraded.put(pets, { id: 'tom', owner: 'nobody' }), 'REFERENCE_VIOLATION')
    await upgraded.put(pets, { id: 'tom', owner: 'anna' })
  },

  'a collection that was not declared this time stays readable, listed and enforced': async (context) => {
    const store = await context.open(owners, pets, accounts)
    await store.put(owners, { id: 'anna' })
    await store.put(pets, { id: 'rex', owner: 'anna' })
    await store.put(accounts, { id: 'a', email: 'x' })
    await context.reopen()
    const again = await context.open(owners)
    expect((await again.catalogue()).map(({ name }) => name)).toEqual([accounts.name, owners.name, pets.name])
    expect(await again.get(pets, 'rex')).toEqual({ id: 'rex', owner: 'anna' })
    await failure(again.delete(owners, 'anna'), 'REFERENCE_VIOLATION')
    await failure(again.put(accounts, { id: 'b', email: 'x' }), 'UNIQUE_VIOLATION')
    await again.delete(pets, 'rex')
    expect(await again.delete(owners, 'anna')).toBe(true)
  },
})
