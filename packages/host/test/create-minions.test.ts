import 'reflect-metadata'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineType, Minions } from '@minions/core'
import type { OnTypeDiffers } from '@minions/core/evolution'
import { memoryStorage } from '@minions/core/memory'
import {
  createToken,
  definePlugin,
  extensionPoint,
  optional,
  override,
  pluginRef,
  provide,
  silentLogger,
  tokens,
} from '@minions/core/plugin'
import { defineCollection, type StorageBackend, type StoreAccess } from '@minions/core/storage'
import { sqliteStorage } from '@minions/storage-sqlite'
import { decorate } from '@minions/storage-testkit'
import { container } from 'tsyringe'
import { Type } from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ownClientProperties } from '../src/check/plugins.js'
import { createMinions } from '../src/index.js'
import { plugin, ref, rejection } from './support.js'

const counters = defineCollection({
  name: 'counters',
  version: 1,
  schema: Type.Object({ name: Type.String(), value: Type.Integer() }),
  key: 'name',
})

interface Counter {
  add(name: string): Promise<number>
  read(name: string): Promise<number>
}

const counterRef = pluginRef<Counter, Counter>()('@acme/counter', 'counter')

const counter = () =>
  definePlugin({
    ref: counterRef,
    version: '1.2.0',
    deps: { store: tokens.store },
    collections: [counters],
    setup: ({ store }) => countIn(store),
    join: (_, { store }) => countIn(store),
  })

function countIn(storage: StoreAccess): Counter {
  return {
    async add(name: string): Promise<number> {
      return storage.transaction(async (tx) => {
        const value = ((await tx.get(counters, name))?.value ?? 0) + 1
        await tx.put(counters, { name, value })
        return value
      })
    },
    read: async (name: string) => (await storage.get(counters, name))?.value ?? 0,
  }
}

describe.each([
  ['memory', () => memoryStorage()],
  ['sqlite', () => sqliteStorage({ path: scratchFile('app.db') })],
])('an app on %s', (_, makeStorage) => {
  test('is the client with one namespace for each plugin', async () => {
    const app = await createMinions({ storage: makeStorage(), plugins: [counter()] })
    expect(app).toBeInstanceOf(Minions)
    expect(await app.counter.add('a')).toBe(1)
    expect(await app.create('note', { title: 'Hello', fields: { content: 'x' } })).toMatchObject({ title: 'Hello' })
    await app.close()
  })

  test('lets namespaces take part in a transaction, and rolls them back with it', async () => {
    const app = await createMinions({ storage: makeStorage(), plugins: [counter()] })
    const both = app.transaction(async (tx) => {
      await tx.create('note', { title: 'Kept?', fields: { content: 'x' } })
      await tx.counter.add('a')
      expect(await tx.counter.read('a')).toBe(1)
      expect(tx.counter).toBe(tx.counter)
      throw new Error('no')
    })
    await expect(both).rejects.toThrow('no')
    expect(await app.counter.read('a')).toBe(0)
    expect(await app.count()).toBe(0)
    await app.transaction((tx) => tx.transaction((inner) => inner.counter.add('a')))
    expect(await app.counter.read('a')).toBe(1)
    await app.close()
  })
})

test('a plugin that offers nothing in transactions has no namespace there', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [plugin('loner'), counter()] })
  await app.transaction(async (tx) => {
    expect(tx).not.toHaveProperty('loner')
    await tx.counter.add('a')
  })
  await app.close()
})

test('a namespace of a transaction is refused after its end, and says what to use instead', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [counter()] })
  const tx = await app.transaction(async (inside) => inside)
  await rejection(
    Promise.resolve().then(() => tx.counter),
    'CLOSED',
    '"@acme/counter"',
    'app.counter',
  )
  const kept = await app.transaction(async (inside) => inside.counter)
  await rejection(kept.add('a'), 'CLOSED')
  await app.close()
})

test('inside a transaction a plugin receives the transaction views of its dependencies', async () => {
  interface Twice {
    add(name: string): Promise<number>
  }
  const twiceRef = pluginRef<Twice, Twice>()('@acme/twice', 'twice')
  const twice = definePlugin({
    ref: twiceRef,
    version: '1.0.0',
    deps: { counter: counterRef, maybe: optional(ref('missing')), loner: ref('loner') },
    setup: ({ counter }) => ({ add: async (name) => (await counter.add(name)) && counter.add(name) }),
    join(_, { counter, ...others }) {
      expect(others).toEqual({})
      return { add: async (name) => (await counter.add(name)) && counter.add(name) }
    },
  })
  const app = await createMinions({ storage: 'memory:', plugins: [twice, counter(), plugin('loner')] })
  const failing = app.transaction(async (tx) => {
    expect(await tx.twice.add('a')).toBe(2)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await app.counter.read('a')).toBe(0)
  await app.close()
})

test('a join that throws names the plugin, and the transaction is rolled back', async () => {
  const cause = new Error('no key')
  const failing = definePlugin({
    ref: pluginRef<object, object>()('failing', 'failing'),
    version: '1.0.0',
    setup: () => ({}),
    join: () => {
      throw cause
    },
  })
  const app = await createMinions({ storage: 'memory:', plugins: [failing, counter()] })
  const work = app.transaction(async (tx) => {
    await tx.counter.add('a')
    return tx.failing
  })
  expect((await rejection(work, 'JOIN_FAILED', '"failing"', 'no key')).cause).toBe(cause)
  expect(await app.counter.read('a')).toBe(0)
  await app.close()
})

test('entries that are left out are left out', async () => {
  const on = true as boolean
  const app = await createMinions({
    storage: 'memory:',
    plugins: [!on && counter(), null, undefined, on && plugin('other')],
  })
  expect(app).not.toHaveProperty('counter')
  expect(app).toHaveProperty('other')
  await app.close()
})

test('plugins start after those they depend on, and otherwise as they are listed', async () => {
  const order: string[] = []
  const token = createToken<string>('@acme/late')
  const noting = (name: string, deps: string[] = [], parts: Parameters<typeof plugin>[1] = {}) =>
    plugin(name, {
      deps: Object.fromEntries(deps.map((other) => [other, ref(other).range('^1.0.0')])),
      setup: () => void order.push(name),
      dispose: () => void order.push(`-${name}`),
      ...parts,
    })
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      noting('d', ['@s/b', 'c']),
      noting('service', [], { deps: { thing: token, maybe: optional(ref('e')), never: optional(ref('nowhere')) } }),
      noting('a'),
      noting('c', ['a']),
      noting('@s/b'),
      noting('e'),
      noting('provider', [], { provides: [provide(token, () => 'late')] }),
    ],
  })
  expect(order).toEqual(['@s/b', 'a', 'c', 'd', 'provider', 'e', 'service'])
  await app.close()
  expect(order.slice(7)).toEqual(['-service', '-e', '-provider', '-d', '-c', '-a', '-@s/b'])
})

test('a service is created once, when it is first needed, and overridden in start order', async () => {
  const greeting = createToken<string>('@acme/greeting')
  const nothing = createToken<undefined>('constructor')
  const unused = createToken<string>('@acme/unused')
  let created = 0
  const provider = plugin('provider', {
    setup: () => ({ word: 'hello' }),
    provides: [
      provide(greeting, ({ word }: { word: string }) => `${word}${++created}`),
      provide(nothing, () => undefined),
      provide(unused, () => expect.fail('nothing asks for it')),
    ],
  })
  const user = (name: string) =>
    plugin(name, {
      deps: { greeting, nothing, absent: optional(createToken('@acme/absent')) },
      setup: (deps: object) => ({ ...deps }),
    })
  const louder = plugin('louder', { overrides: [override(greeting, (text) => `${text}!`)] })
  const twice = plugin('twice', { overrides: [override(greeting, (text) => `${text}${text}`)] })
  const plugins = [user('one'), user('two'), louder, twice, provider]
  const app = await createMinions({ storage: 'memory:', plugins })
  // Two tokens of one name are the same token.
  expect(createToken('@acme/greeting')).toEqual(greeting)
  expect(app).toMatchObject({ one: { greeting: 'hello1!hello1!' }, two: { greeting: 'hello1!hello1!' } })
  expect(app).toMatchObject({ one: { nothing: undefined, absent: undefined } })
  await app.close()
})

test('an extension point lists what plugins contribute, in start order and with their names', async () => {
  const formats = extensionPoint<{ name: string }>('@acme/formats', { key: ({ name }) => name })
  const others = extensionPoint<string>('@acme/others')
  const owner = plugin('owner', { deps: { formats, others }, setup: (deps: object) => ({ ...deps }) })
  const first = plugin('first', {
    deps: { second: ref('second') },
    contributes: [[formats, [{ name: 'a' }, { name: 'b' }]]],
  })
  const second = plugin('second', { contributes: [[formats, [{ name: 'c' }]]] })
  const app = await createMinions({ storage: 'memory:', plugins: [owner, first, second] })
  expect((app as unknown as { owner: unknown }).owner).toEqual({
    formats: [
      { plugin: 'second', value: { name: 'c' } },
      { plugin: 'first', value: { name: 'a' } },
      { plugin: 'first', value: { name: 'b' } },
    ],
    others: [],
  })
  await app.close()
})

test('the tokens of every app give the client, the store, types, events and a log that names the plugin', async () => {
  const lines: unknown[] = []
  const logger = (fields: object) => {
    const log = (message: string) => void lines.push({ ...fields, message })
    return { debug: log, info: log, warn: log, error: log, child: (more: object) => logger({ ...fields, ...more }) }
  }
  const type = defineType({
    id: 'acme-badge',
    name: 'Badge',
    slug: 'badge',
    schema: [{ name: 'text', type: 'string' }],
  })
  const seen: string[] = []
  const badges = definePlugin({
    ref: pluginRef<{ give(title: string): Promise<unknown> }>()('badges', 'badges'),
    version: '1.0.0',
    types: [type],
    deps: { client: tokens.client, registry: tokens.registry, events: tokens.events, log: tokens.logger },
    setup({ client, registry, events, log }) {
      events.on('minion.created', ({ record }) => void seen.push(record.title))
      log.info(`${registry.getBySlug('badge')?.id}`)
      return { give: (title) => client.create(type, { title, fields: {} }) }
    },
  })
  const app = await createMinions({ storage: 'memory:', plugins: [badges], logger: logger({}) })
  await app.badges.give('Gold')
  expect(lines).toEqual([{ plugin: 'badges', message: 'acme-badge' }])
  expect(seen).toEqual(['Gold'])
  await app.close()
})

test('plugins known at run time only are added, and replace namesakes', async () => {
  const app = await createMinions({
    storage: 'memory:',
    plugins: [plugin('a', { setup: () => 'ours' }), counter()],
    morePlugins: [plugin('a', { setup: () => 'theirs' }), plugin('b', { setup: () => 'more' })],
  })
  expect(app).toMatchObject({ a: 'theirs', b: 'more' })
  expect(await app.counter.add('x')).toBe(1)
  await app.close()
})

test('a type of a plugin that is stored with another schema is logged, refused or evolved', async () => {
  const badge = defineType({ id: 'badge', name: 'Badge', slug: 'badge', schema: [{ name: 'rank', type: 'string' }] })
  const newer = { ...badge, schema: [{ name: 'rank', type: 'number' as const }] }
  const storage = memoryStorage()
  const first = await createMinions({ storage, types: [badge] })
  await first.create(badge, { id: 'gold', title: 'Gold', fields: { rank: '1' } })
  const warnings: string[] = []
  const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) }
  const badges = plugin('badges', { types: [{ type: newer, transform: { rank: Number } }] })
  const open = (onTypeDiffers?: OnTypeDiffers) =>
    createMinions({ storage: unclosed(storage), plugins: [badges], logger, ...(onTypeDiffers && { onTypeDiffers }) })
  expect((await open()).types.get('badge')?.schema).toEqual(badge.schema)
  expect(warnings).toEqual([expect.stringContaining('rank: number in code, string in the store')])
  await expect(open('fail')).rejects.toMatchObject({
    code: 'TYPE_DIFFERS',
    message: expect.stringContaining('"badge"'),
  })
  await expect(open('drop' as 'fail')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  expect((await (await open('evolve')).get('gold'))?.fields).toEqual({ rank: 1 })
})

/** A backend that stays open for the next app. */
function unclosed(backend: StorageBackend): StorageBackend {
  return decorate(backend, { close: async () => {} })
}

test('two apps in one process share nothing', async () => {
  const token = createToken<string>('@acme/name')
  const named = (name: string) =>
    [
      definePlugin({
        ref: pluginRef<{ readonly heard: string[]; readonly name: string }>()('@acme/named', 'named'),
        version: '1.0.0',
        deps: { events: tokens.events, name: token },
        setup(deps) {
          const heard: string[] = []
          deps.events.on('minion.created', ({ record }) => void heard.push(record.title))
          return { name: deps.name, heard }
        },
      }),
      plugin('provider', { provides: [provide(token, () => name)] }),
    ] as const
  const first = await createMinions({ storage: 'memory:', plugins: [...named('first'), counter()] })
  const second = await createMinions({ storage: 'memory:', plugins: named('second') })
  await first.create('note', { title: 'one', fields: { content: 'x' } })
  expect([first.named.name, second.named.name]).toEqual(['first', 'second'])
  expect([first.named.heard, second.named.heard]).toEqual([['one'], []])
  expect(await second.count()).toBe(0)
  expect(second).not.toHaveProperty('counter')
  await first.close()
  expect(await second.count()).toBe(0)
  await second.close()
})

test('what is registered in the global container is not seen in an app', async () => {
  const token = createToken<string>('@acme/global')
  container.register(token.name, { useValue: { value: 'global' } })
  onTestFinished(() => container.reset())
  const asking = plugin('asking', { deps: { maybe: optional(token) }, setup: (deps: object) => ({ ...deps }) })
  const app = await createMinions({ storage: 'memory:', plugins: [asking] })
  expect(app).toMatchObject({ asking: { maybe: undefined } })
  await app.close()
  const providing = plugin('providing', { provides: [provide(token, () => 'own')] })
  const using = plugin('using', { deps: { token } })
  await (await createMinions({ storage: 'memory:', plugins: [providing, using] })).close()
  expect(container.resolve(token.name)).toEqual({ value: 'global' })
})

test('storage that is none is refused', async () => {
  const creating = createMinions({ storage: undefined as unknown as string })
  await rejection(creating, 'VALIDATION_FAILED', 'storage URL')
})

test('after closing, the client and what uses it are closed; closing again is fine', async () => {
  let disposed = 0
  const app = await createMinions({
    storage: 'memory:',
    plugins: [counter(), plugin('once', { dispose: () => void disposed++ })],
  })
  await Promise.all([app.close(), app.close()])
  await app.close()
  expect(disposed).toBe(1)
  await rejection(app.get('x'), 'CLOSED')
  await rejection(app.counter.add('a'), 'CLOSED')
  await rejection(
    app.transaction(async () => 1),
    'CLOSED',
  )
})

test('what a client has of its own is known, so that no namespace can hide it', async () => {
  const client = await Minions.open({ storage: memoryStorage() })
  expect(ownClientProperties).toEqual(Object.keys(client))
  await client.close()
})

function scratchFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'minions-host-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, name)
}
