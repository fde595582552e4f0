import 'reflect-metadata'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createToken,
  defineCollection,
  definePlugin,
  defineType,
  Minions,
  memoryStorage,
  type OnTypeDiffers,
  type StorageBackend,
  silentLogger,
} from '@minions/core'
import { sqliteStorage } from '@minions/storage-sqlite'
import { decorate } from '@minions/storage-testkit'
import { container } from 'tsyringe'
import { Type } from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ownClientProperties } from '../src/check/plugins.js'
import { createMinions } from '../src/index.js'
import { plugin, rejection } from './support.js'

const counters = defineCollection({
  name: 'counters',
  version: 1,
  schema: Type.Object({ name: Type.String(), value: Type.Integer() }),
  key: 'name',
})

const counter = () =>
  definePlugin({
    name: '@acme/counter',
    namespace: 'counter',
    version: '1.2.0',
    collections: [counters],
    setup: ({ storage }) => countIn(storage),
    join: (_, { storage }) => countIn(storage),
  })

function countIn(storage: Parameters<Parameters<typeof definePlugin>[0]['setup']>[0]['storage']) {
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

test('a plugin that cannot join says so when its namespace is touched inside a transaction', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [plugin('loner'), counter()] })
  const touch = app.transaction(async (tx) => (tx as unknown as { loner: unknown }).loner)
  await rejection(touch, 'CAPABILITY_MISSING', '"loner"', 'transaction')
  await app.transaction(async (tx) => tx.counter.add('a'))
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

test('plugins start after those they require, and otherwise as they are listed', async () => {
  const order: string[] = []
  const noting = (name: string, requires: string[] = []) =>
    plugin(name, { requires, setup: () => void order.push(name), dispose: () => void order.push(`-${name}`) })
  const app = await createMinions({
    storage: 'memory:',
    plugins: [noting('d', ['@s/b@^1.0.0', 'c']), noting('a'), noting('c', ['a']), noting('@s/b')],
  })
  expect(order).toEqual(['@s/b', 'a', 'c', 'd'])
  await app.close()
  expect(order.slice(4)).toEqual(['-d', '-c', '-a', '-@s/b'])
})

test('what a plugin provides by token others resolve, as the last override left it', async () => {
  const greeting = createToken<string>('@acme/greeting')
  const nothing = createToken<undefined>('constructor')
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      plugin('user', { requires: ['louder'], setup: ({ resolve }) => [resolve(greeting), resolve(nothing)] }),
      plugin('louder', { requires: ['provider'], setup: ({ override }) => override(greeting, (text) => `${text}!`) }),
      plugin('provider', {
        setup({ provide }) {
          provide(greeting, 'hello')
          provide(nothing, undefined)
        },
      }),
    ],
  })
  // Two tokens of one name are the same token.
  expect(createToken('@acme/greeting')).toEqual(greeting)
  expect((app as unknown as { user: unknown }).user).toEqual(['hello!', undefined])
  await app.close()
})

test('the context has the client, the store, types, events and a log that names the plugin', async () => {
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
  const badges = plugin('badges', {
    types: [type],
    setup({ minions, types, events, log }) {
      events.on('minion.created', ({ record }) => void seen.push(record.title))
      log.info(`${types.getBySlug('badge')?.id}`)
      return { give: (title: string) => minions.create(type, { title, fields: {} }) }
    },
  })
  const app = await createMinions({ storage: 'memory:', plugins: [badges], logger: logger({}) })
  await (app as unknown as { badges: { give(title: string): Promise<unknown> } }).badges.give('Gold')
  expect(lines).toEqual([{ plugin: 'badges', message: 'acme-badge' }])
  expect(seen).toEqual(['Gold'])
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
    definePlugin({
      name: '@acme/named',
      namespace: 'named',
      version: '1.0.0',
      setup: ({ provide, resolve, events }) => {
        provide(token, name)
        const heard: string[] = []
        events.on('minion.created', ({ record }) => void heard.push(record.title))
        return { name: () => resolve(token), heard }
      },
    })
  const first = await createMinions({ storage: 'memory:', plugins: [named('first'), counter()] })
  const second = await createMinions({ storage: 'memory:', plugins: [named('second')] })
  await first.create('note', { title: 'one', fields: { content: 'x' } })
  expect([first.named.name(), second.named.name()]).toEqual(['first', 'second'])
  expect([first.named.heard, second.named.heard]).toEqual([['one'], []])
  expect(await second.count()).toBe(0)
  expect(second).not.toHaveProperty('counter')
  await first.close()
  expect(await second.count()).toBe(0)
  await second.close()
})

test('what somebody registers in the global container is not seen in an app', async () => {
  const token = createToken<string>('@acme/global')
  container.register(token.name, { useValue: { value: 'global' } })
  onTestFinished(() => container.reset())
  const asking = plugin('asking', { setup: ({ resolve }) => resolve(token) })
  await rejection(createMinions({ storage: 'memory:', plugins: [asking] }), 'TOKEN_MISSING', '@acme/global')
  const providing = plugin('providing', { setup: ({ provide }) => provide(token, 'own') })
  await (await createMinions({ storage: 'memory:', plugins: [providing] })).close()
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
