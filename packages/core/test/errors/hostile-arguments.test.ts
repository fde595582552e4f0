import { Type } from 'typebox'
import { expect, it } from 'vitest'
import {
  cyclesOf,
  dependencyOrder,
  Mutex,
  stronglyConnected,
  systemTimers,
  topologicalOrder,
  watchLease,
  withDeadline,
} from '../../src/coordination/index.js'
import { migrateMinion, planMigration } from '../../src/evolution/index.js'
import {
  canonicalJson,
  cloneJson,
  compareCodePoints,
  deepFreeze,
  getOwn,
  inKeyOrder,
  jsonEqual,
  setOwn,
} from '../../src/json/index.js'
import { extensionPoint } from '../../src/plugin/index.js'
import { toJsonSchema } from '../../src/schemas/index.js'
import {
  Collection,
  defineCollection,
  indexedLists,
  Retention,
  readChanges,
  takeStorageUrl,
  valueAt,
  WriteBatch,
} from '../../src/storage/index.js'
import { minionToType, noteType } from '../../src/types/index.js'

const holes = new Array(2 ** 32 - 1)
const long = 'x'.repeat(50_000_000)
const throwing = new Proxy({}, { get: fail, getOwnPropertyDescriptor: fail, has: fail, ownKeys: fail, set: fail })
const endless = {
  *[Symbol.iterator]() {
    for (;;) yield 'x'
  },
}

function fail(): never {
  throw new Error('of a proxy')
}

const ships = defineCollection({
  name: 'ships',
  version: 1,
  schema: Type.Object({ name: Type.String() }),
  key: 'name',
})
const minion = { id: 'a', title: 'A', minionTypeId: 'minion-type', fields: {}, createdAt: '', updatedAt: '' }
const terms = { clock: Date.now, timers: systemTimers, leaseMs: 4 }
const point = extensionPoint<{ name: string }>('a/b', { key: ({ name }) => name })

/** Calls with arguments that the compiler would refuse. */
const calls: Readonly<Record<string, () => unknown>> = {
  'cyclesOf, what is not a graph': () => [...cyclesOf(Number.NaN as never, { edges: [[0, 1]] })],
  'cyclesOf, an edge of no node': () => [...cyclesOf([[0]], { edges: [[5, 5]] })],
  'cyclesOf, edges without end': () => [...cyclesOf([[0]], { edges: endless as never })],
  'dependencyOrder, what is not a function': () => dependencyOrder(['a'], {} as never),
  'dependencyOrder, dependencies that are not a list': () => dependencyOrder(['a'], () => undefined as never),
  'stronglyConnected, targets without end': () => stronglyConnected([endless] as never),
  'topologicalOrder, targets without end': () => topologicalOrder([endless] as never),
  'topologicalOrder, a list of holes': () => topologicalOrder([holes]),
  'Mutex.run, what is not a function': () => new Mutex().run(5 as never),
  'withDeadline, what is not a promise': () => withDeadline(5 as never, { expired: () => 1 }),
  'systemTimers.set, a time that is not a number': () => systemTimers.set(5n as never, () => undefined),
  'systemTimers.set, options that cannot be read': () => systemTimers.set(1, () => undefined, throwing),
  'watchLease, what is not a function': () => watchLease({ token: 'a', expires_at: 0 }, 5 as never, terms),
  'watchLease, no terms': () => watchLease({ token: 'a', expires_at: 0 }, () => undefined, null as never),
  'compareCodePoints, what is not a text': () => compareCodePoints('a', [] as never),
  'getOwn, an object that cannot be read': () => getOwn(throwing, 'a'),
  'setOwn, an object that cannot be written': () => setOwn(throwing, 'a', 1),
  'cloneJson, a list of holes': () => cloneJson({ a: holes }),
  'canonicalJson, a list of holes deep inside': () => canonicalJson({ a: { b: [holes] } } as never),
  'deepFreeze, a list of holes deep inside': () => deepFreeze({ a: { b: { c: holes } } }),
  'jsonEqual, a list of holes deep inside': () => jsonEqual({ a: { b: holes } }, { a: { b: new Array(2 ** 32 - 1) } }),
  'inKeyOrder, a list of holes deep inside': () => inKeyOrder({ a: { b: { c: holes } } }),
  'valueAt, a record that cannot be read': () => valueAt(throwing, ['a']),
  'valueAt, no path': () => valueAt({}, null as never),
  'toJsonSchema, a text for a field': () => toJsonSchema({ ...noteType, schema: [long] } as never),
  'minionToType, a text for fields': () => minionToType({ ...minion, fields: long } as never),
  'migrateMinion, a list of holes': () => migrateMinion({ ...minion, tags: holes }, [], []),
  'planMigration, a schema without end': () => planMigration([], [], endless as never),
  'new Collection, a declaration that cannot be read': () => new Collection(throwing as never),
  'new Collection, a list of holes': () => new Collection({ ...ships.declaration, key: holes }),
  'new Collection, indexes without end': () => new Collection({ ...ships.declaration, indexes: endless } as never),
  'new Collection, a schema that cannot be read': () => new Collection(ships.declaration, throwing as never),
  'Collection.fromStored, a list of holes': () => ships.fromStored({ name: 'a', tons: holes }, '1'),
  'Collection.toWrite, a list of holes': () => ships.toWrite({ name: 'a', tons: { list: holes } } as never, '1'),
  'Collection.toWrite, a text that is too long': () => ships.toWrite({ name: 'a', log: long } as never, '1'),
  'Collection.keyOf, a text that is too long': () => ships.keyOf({ name: long }),
  'WriteBatch.put, a list of holes': () => new WriteBatch().put(ships, { name: 'a', tons: holes } as never),
  'defineCollection, a text for lists': () => defineCollection({ ...ships.declaration, unique: long } as never),
  'indexedLists, a list of holes': () => indexedLists({ ...ships.declaration, indexes: holes }),
  'new Retention, an owner that is not a text': () => new Retention(holes as never, undefined),
  'readChanges, collections without end': () =>
    readChanges({ base: 0, newest: () => undefined, from: () => [] }, {
      since: 'start',
      limit: 1,
      collections: endless,
    } as never),
  'takeStorageUrl, names without end': () => takeStorageUrl('fs:./a', ['fs'], endless as never),
  'key of an extension point, what is not a text': () => point.key?.({ name: 5 as never }),
}

it.each(Object.keys(calls))('%s is refused', async (name) => {
  await expect((async () => calls[name]?.())()).rejects.toMatchObject({ name: 'MinionsError' })
})
