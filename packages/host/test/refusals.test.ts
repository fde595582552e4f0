import { defineType } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { defineOperation, operations } from '@minions/core/operations'
import {
  createToken,
  definePlugin,
  extensionPoint,
  optional,
  override,
  type Plugin,
  provide,
  tokens,
} from '@minions/core/plugin'
import { defineCollection, minionsCollection, type StorageBackend } from '@minions/core/storage'
import { noteType, taskType } from '@minions/core/types'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createMinions, HOST_ERROR_CODES, type PluginEntry } from '../src/index.js'
import { plugin, ref, rejection } from './support.js'

/** Refuses to be opened, so every refusal here comes before that. */
function untouchable(): StorageBackend {
  return Object.assign(memoryStorage(), { open: () => expect.fail('the store was opened') })
}

const refused = (plugins: readonly PluginEntry[], code: string, ...named: string[]) =>
  rejection(createMinions({ storage: untouchable(), plugins }), code, ...named)

const type = (id: string, slug: string) =>
  defineType({ id, slug, name: id, schema: [{ name: 'text', type: 'string' }] })
const collection = (name: string) =>
  defineCollection({ name, version: 1, schema: Type.Object({ id: Type.String() }), key: 'id' })

describe('before anything is opened', () => {
  test('a missing dependency; all of them are named', async () => {
    const error = await refused(
      [
        plugin('a', { deps: { b: ref('@acme/b').range('^1.0.0'), c: ref('c'), clock: tokens.clock } }),
        plugin('d', { deps: { thing: createToken('@acme/thing'), maybe: optional(ref('nowhere')) } }),
      ],
      'REQUIREMENT_MISSING',
      '"a"',
      '@acme/b',
      '"c"',
      '"d"',
      '@acme/thing',
    )
    expect(error.details).toEqual({ plugins: ['a', 'd'], missing: ['@acme/b', 'c', '@acme/thing'] })
  })

  test('a dependency of an operation that is missing', async () => {
    const operation = defineOperation({
      name: 'acme.greet',
      summary: 'Greet',
      access: 'read',
      input: Type.Object({}),
      output: Type.String(),
      deps: { b: ref('@acme/b') },
      run: () => 'Hello',
    })
    await refused([plugin('a', { contributes: [[operations, [operation]]] })], 'REQUIREMENT_MISSING', '"a"', '@acme/b')
  })

  test('a version out of range, also of an optional dependency', async () => {
    const other = plugin('@acme/b', { version: '1.9.3' })
    const range = ref('@acme/b').range('^2.0.0')
    await refused(
      [plugin('a', { deps: { b: range } }), other],
      'REQUIREMENT_VERSION',
      '"a"',
      '@acme/b',
      '^2.0.0',
      '1.9.3',
    )
    await refused([plugin('a', { deps: { b: optional(range) } }), other], 'REQUIREMENT_VERSION', '1.9.3')
  })

  test('a cycle, with its path', async () => {
    const token = createToken<string>('@acme/thing')
    const list = [
      plugin('outside', { deps: { a: ref('a') } }),
      plugin('a', { deps: { b: ref('b') } }),
      plugin('b', { deps: { thing: token } }),
      plugin('c', { deps: { a: optional(ref('a')) }, provides: [provide(token, () => 'x')] }),
    ]
    const error = await refused(list, 'REQUIREMENT_CYCLE', 'a → b → c → a')
    expect(error.message).not.toContain('outside')
    await refused([plugin('a', { deps: { a: ref('a') } })], 'REQUIREMENT_CYCLE', 'a → a')
  })

  test('a clash of namespaces', async () => {
    await refused(
      [plugin('a', { namespace: 'x' }), plugin('b', { namespace: 'x' })],
      'NAMESPACE_CLASH',
      '"a"',
      '"b"',
      '"x"',
    )
  })

  test.each([
    'create',
    'find',
    'close',
    'types',
    'storage',
    'registry',
    'transaction',
    'toString',
    'constructor',
    '__proto__',
    'then',
  ])('the namespace %s, which is a part of every client', async (namespace) => {
    await refused([plugin('a', { namespace })], 'NAMESPACE_RESERVED', '"a"', `"${namespace}"`)
  })

  test('a clash of type ids, with a plugin or with a built-in type', async () => {
    const [first, second] = [plugin('a', { types: [type('t', 'one')] }), plugin('b', { types: [type('t', 'two')] })]
    await refused([first, second], 'TYPE_CLASH', '"a"', '"b"', '"t"')
    await refused([plugin('a', { types: [type(noteType.id, 'mine')] })], 'TYPE_CLASH', '"a"', '@minions/core')
  })

  test('a clash of slugs that is not declared, or declared by two', async () => {
    const [first, second] = [plugin('a', { types: [type('t1', 'same')] }), plugin('b', { types: [type('t2', 'same')] })]
    await refused([first, second], 'SLUG_CLASH', '"a"', '"b"', '"same"', 'takesSlugOf')
    const taking = (name: string) => plugin(name, { types: [{ type: type(name, 'note'), takesSlugOf: noteType.id }] })
    await refused([taking('x'), taking('y')], 'SLUG_CLASH', '"x"', '"y"', '"note"')
    const circle = plugin('c', {
      types: [
        { type: type('p', 'round'), takesSlugOf: 'q' },
        { type: type('q', 'round'), takesSlugOf: 'p' },
      ],
    })
    await refused([circle], 'SLUG_CLASH', '"round"')
  })

  test('taking the slug of a type that is not there, or has another', async () => {
    const taking = (takesSlugOf: string) => plugin('a', { types: [{ type: type('mine', 'note'), takesSlugOf }] })
    await refused([taking('nowhere')], 'SLUG_UNKNOWN', '"a"', '"nowhere"')
    await refused([taking(taskType.id)], 'SLUG_UNKNOWN', '"a"', '"task"')
  })

  test('a clash of collections, with a plugin or with the client', async () => {
    const [first, second] = [
      plugin('a', { collections: [collection('c')] }),
      plugin('b', { collections: [collection('c')] }),
    ]
    await refused([first, second], 'COLLECTION_CLASH', '"a"', '"b"', '"c"')
    await refused([plugin('a', { collections: [minionsCollection] })], 'COLLECTION_CLASH', '"a"', '@minions/core')
  })

  test('a clash of services, with a plugin or with the host', async () => {
    const provides = [provide(createToken<number>('@acme/number'), () => 1)]
    await refused([plugin('a', { provides }), plugin('b', { provides })], 'TOKEN_CLASH', '"a"', '"b"', '@acme/number')
    const clock = [provide(tokens.clock, () => () => 0)]
    await refused([plugin('a', { provides: clock })], 'TOKEN_CLASH', '"a"', '@minions/host')
  })

  test('two contributions with one key, also of one plugin', async () => {
    const formats = extensionPoint<{ name: string }>('@acme/formats', { key: ({ name }) => name })
    const loud = (name: string) => plugin(name, { contributes: [[formats, [{ name: 'loud' }]]] })
    await refused([loud('a'), loud('b')], 'CONTRIBUTION_CLASH', '"a"', '"b"', '"loud"', '@acme/formats')
    const both = plugin('a', { contributes: [[formats, [{ name: 'loud' }, { name: 'loud' }]]] })
    await refused([both], 'CONTRIBUTION_CLASH', '"loud"', 'twice')
  })

  test('two operations with one name, and what is not an operation', async () => {
    const operation = defineOperation({
      name: 'acme.greet',
      summary: 'Greet',
      access: 'read',
      input: Type.Object({}),
      output: Type.String(),
      run: () => 'Hello',
    })
    const with1 = (name: string) => plugin(name, { contributes: [[operations, [operation]]] })
    await refused([with1('a'), with1('b')], 'CONTRIBUTION_CLASH', '"a"', '"b"', '"acme.greet"')
    const wrong = plugin('a', { contributes: [[operations, [{ name: 'acme.greet' } as never]]] })
    await refused([wrong], 'CONTRIBUTION_INVALID', '"a"', 'defineOperation')
  })

  test('a contribution of the wrong shape, whatever the extension point throws', async () => {
    const formats = extensionPoint<{ name: string }>('@acme/formats', {
      key: ({ name }) => name.trim(),
      check: (value) => (typeof value === 'object' ? undefined : 'a format is an object'),
    })
    const giving = (...values: unknown[]) => plugin('a', { contributes: [[formats, values as never[]]] })
    await refused([giving('loud')], 'CONTRIBUTION_INVALID', '"a"', '@acme/formats', 'a format is an object')
    await refused([giving({})], 'CONTRIBUTION_INVALID', '"a"', '@acme/formats')
    await refused([giving({ name: ' ' })], 'CONTRIBUTION_INVALID', 'no usable key')
    for (const entry of [formats, [formats], [{ name: 'x' }, []], null]) {
      await refused([plugin('a', { contributes: [entry as never] })], 'PLUGIN_INVALID', '"a"', 'contributes')
    }
  })

  test('invalid options, with everything that is wrong', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `option${index}`)
    const schema = Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer()])), {
      additionalProperties: false,
    })
    const value = { ...Object.fromEntries(names.map((name) => [name, 'x'])), mispelt: 1 }
    const error = await refused(
      [plugin('a', { options: { schema, value } })],
      'OPTIONS_INVALID',
      '"a"',
      '/option11',
      'mispelt',
    )
    expect(error.details.errors).toHaveLength(13)
    await refused([plugin('a', { options: { schema, value: undefined } })], 'OPTIONS_INVALID', 'option0')
    const inherited = Type.Object({ toString: Type.String() })
    await refused(
      [plugin('a', { options: { schema: inherited, value: { toString: 1 } } })],
      'OPTIONS_INVALID',
      'toString',
    )
  })

  test('options that a Standard Schema refuses, and schemas that cannot be used', async () => {
    const schema = z.object({ port: z.int().max(65535), host: z.string().optional() })
    await refused([plugin('a', { options: { schema, value: { port: 70_000 } } })], 'OPTIONS_INVALID', '"a"', '/port')
    await refused([plugin('a', { options: { schema: { type: 'port' }, value: 1 } })], 'PLUGIN_INVALID', '"a"', '/type')
    const app = await createMinions({
      storage: 'memory:',
      plugins: [plugin('a', { options: { schema, value: { port: 80 } } })],
    })
    await app.close()
  })

  test('an override of something that cannot be replaced', async () => {
    const replacing = override(tokens.registry, (previous) => previous)
    await refused([plugin('a', { overrides: [replacing] })], 'OVERRIDE_INVALID', '"a"', tokens.registry.name)
    const nobody = override(createToken<string>('@acme/thing'), (previous) => previous)
    await refused(
      [plugin('a', { overrides: [nobody] })],
      'OVERRIDE_INVALID',
      '"a"',
      '@acme/thing',
      'no plugin provides',
    )
    const wrong = override(tokens.clock, () => 'noon' as never)
    await refused([plugin('a', { overrides: [wrong] })], 'OVERRIDE_INVALID', '"a"', tokens.clock.name)
    const cause = new Error('broken')
    const failing = override(tokens.clock, () => {
      throw cause
    })
    expect((await refused([plugin('a', { overrides: [failing] })], 'SETUP_FAILED', '"a"')).cause).toBe(cause)
  })

  test('the same plugin twice, and what is not a plugin', async () => {
    await refused([plugin('a', { namespace: 'x' }), plugin('a', { namespace: 'y' })], 'PLUGIN_DUPLICATE', '"a"')
    await refused([{ name: 'a' } as unknown as Plugin], 'PLUGIN_INVALID', 'definePlugin')
    await refused([plugin as unknown as Plugin], 'PLUGIN_INVALID', 'call the function')
    await refused([plugin('a', { version: 'one' })], 'PLUGIN_INVALID', '"a"', '"one"')
    await refused([plugin('a', { namespace: 'not a name' })], 'PLUGIN_INVALID', '"a"')
    await refused([plugin('a', { deps: { b: ref('b').range('not a range') } })], 'PLUGIN_INVALID', '"a"', 'not a range')
    for (const dependency of ['b', null, { name: 'b' }, { optional: ref('b') }, ref] as never[]) {
      await refused([plugin('a', { deps: { b: dependency } })], 'PLUGIN_INVALID', '"a"', 'deps.b')
    }
    await refused([plugin('a', { deps: 'b' as never })], 'PLUGIN_INVALID', '"a"', 'deps')
    await refused([plugin('a', { provides: [() => 1] as never })], 'PLUGIN_INVALID', '"a"', 'provide(')
    await refused([plugin('a', { overrides: [[tokens.clock]] as never })], 'PLUGIN_INVALID', '"a"', 'override(')
    await refused([plugin('a', { provides: {} as never })], 'PLUGIN_INVALID', '"a"', 'provides')
    await refused([plugin('a', { setup: 5 as never })], 'PLUGIN_INVALID', '"a"', 'setup')
    await refused([definePlugin({ version: '1.0.0', setup: () => 1 } as never)], 'PLUGIN_INVALID', 'pluginRef')
    await refused([plugin('a', { types: [type('t', 'Not A Slug')] })], 'PLUGIN_INVALID', '"a"', '"t"')
    await refused('abc' as unknown as Plugin[], 'PLUGIN_INVALID', 'list')
  })
})

test('a slug may be taken over by saying so, whatever the order; the old type keeps its id', async () => {
  const second = plugin('second', { types: [{ type: type('note-3', 'note'), takesSlugOf: 'note-2' }] })
  const first = plugin('first', { types: [{ type: type('note-2', 'note'), takesSlugOf: noteType.id }] })
  const app = await createMinions({ storage: 'memory:', plugins: [second, first] })
  expect(app.types.get('note')?.id).toBe('note-3')
  expect(app.types.get(noteType.id)?.slug).toBe('note')
  expect(app.types.get('note-2')?.slug).toBe('note')
  await app.close()
})

describe('during setup', () => {
  test('a service or an override that fails names its plugin', async () => {
    const token = createToken<string>('@acme/thing')
    const cause = new Error('no licence')
    const fail = () => {
      throw cause
    }
    const using = plugin('using', { deps: { token } })
    const refusedInSetup = (plugins: readonly PluginEntry[], ...named: string[]) =>
      rejection(createMinions({ storage: 'memory:', plugins }), 'SETUP_FAILED', ...named)
    const failing = plugin('provider', { provides: [provide(token, fail)] })
    expect((await refusedInSetup([failing, using], '"provider"', '@acme/thing')).cause).toBe(cause)
    const provider = plugin('provider', { provides: [provide(token, () => 'x')] })
    await refusedInSetup([provider, using, plugin('late', { overrides: [override(token, fail)] })], '"late"')
  })

  test('a setup that fails: what had started is disposed in reverse, the store is closed, the cause is kept', async () => {
    const calls: string[] = []
    const backend = memoryStorage()
    const close = backend.close.bind(backend)
    backend.close = () => close().then(() => void calls.push('store closed'))
    const noting = (name: string) => plugin(name, { dispose: () => void calls.push(`${name}: dispose`) })
    const cause = new Error('no licence')
    const failing = plugin('failing', {
      async setup() {
        throw cause
      },
      dispose: () => expect.fail('it had not started'),
    })
    const starting = createMinions({ storage: backend, plugins: [noting('a'), noting('b'), failing, plugin('never')] })
    const error = await rejection(starting, 'SETUP_FAILED', '"failing"', 'no licence')
    expect(error.cause).toBe(cause)
    expect(calls).toEqual(['b: dispose', 'a: dispose', 'store closed'])
  })

  test('a dispose that fails after a failed setup hides neither error', async () => {
    const problems: unknown[] = []
    const logger = {
      debug() {},
      info() {},
      warn() {},
      error: (_: string, f?: object) => void problems.push(f),
      child: () => logger,
    }
    const stuck = plugin('stuck', { dispose: () => Promise.reject(new Error('stuck')) })
    const failing = plugin('failing', { setup: () => Promise.reject(new Error('no licence')) })
    await rejection(
      createMinions({ storage: 'memory:', plugins: [stuck, failing], logger }),
      'SETUP_FAILED',
      'no licence',
    )
    expect(problems).toMatchObject([{ problem: { code: 'DISPOSE_FAILED' } }])
  })
})

test('a dispose that fails: the others are still disposed, and all errors are reported together', async () => {
  const disposed: string[] = []
  const noting = (name: string, error?: Error) =>
    plugin(name, {
      dispose() {
        disposed.push(name)
        if (error) throw error
      },
    })
  const [first, second] = [new Error('one'), new Error('two')]
  const app = await createMinions({
    storage: 'memory:',
    plugins: [noting('a', first), noting('b'), noting('c', second)],
  })
  const error = await rejection(app.close(), 'DISPOSE_FAILED', 'a: one', 'c: two')
  expect(error.cause).toBeInstanceOf(AggregateError)
  expect((error.cause as AggregateError).errors).toEqual([second, first])
  expect(error.details).toEqual({ plugins: ['c', 'a'] })
  expect(disposed).toEqual(['c', 'b', 'a'])
  await rejection(app.get('x'), 'CLOSED')
})

test('a store that fails to close is reported too', async () => {
  const backend = memoryStorage()
  backend.close = () => Promise.reject(new Error('disk'))
  const app = await createMinions({ storage: backend })
  await expect(app.close()).rejects.toThrow('disk')
  const other = await createMinions({
    storage: Object.assign(memoryStorage(), { close: () => Promise.reject(new Error('disk')) }),
    plugins: [plugin('a', { dispose: () => Promise.reject(new Error('one')) })],
  })
  await rejection(other.close(), 'DISPOSE_FAILED', 'a: one', 'the store: disk')
})

test('every code of the table has a meaning', () => {
  for (const meaning of Object.values(HOST_ERROR_CODES)) expect(meaning).toMatch(/\.$/)
})
