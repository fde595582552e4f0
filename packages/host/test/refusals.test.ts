import {
  createToken,
  defineCollection,
  defineType,
  memoryStorage,
  minionsCollection,
  noteType,
  override,
  type Plugin,
  type StorageBackend,
  taskType,
  tokens,
} from '@minions/core'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { createMinions, HOST_ERROR_CODES, type PluginEntry } from '../src/index.js'
import { plugin, rejection } from './support.js'

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
  test('a missing requirement', async () => {
    const error = await refused(
      [plugin('a', { requires: ['@acme/b@^1.0.0'] })],
      'REQUIREMENT_MISSING',
      '"a"',
      '@acme/b',
    )
    expect(error.details).toMatchObject({ plugins: ['a', '@acme/b'] })
  })

  test('a version out of range', async () => {
    const list = [plugin('a', { requires: ['@acme/b@^2.0.0'] }), plugin('@acme/b', { version: '1.9.3' })]
    await refused(list, 'REQUIREMENT_VERSION', '"a"', '@acme/b@^2.0.0', '1.9.3')
  })

  test('a cycle, with its path', async () => {
    const list = [
      plugin('outside', { requires: ['a'] }),
      plugin('a', { requires: ['b'] }),
      plugin('b', { requires: ['c'] }),
      plugin('c', { requires: ['a'] }),
    ]
    const error = await refused(list, 'REQUIREMENT_CYCLE', 'a → b → c → a')
    expect(error.message).not.toContain('outside')
    await refused([plugin('a', { requires: ['a'] })], 'REQUIREMENT_CYCLE', 'a → a')
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

  test('a clash of declared tokens, with a plugin or with the host', async () => {
    const token = createToken<number>('@acme/number')
    await refused([plugin('a', { provides: [token] }), plugin('b', { provides: [token] })], 'TOKEN_CLASH', '"a"', '"b"')
    await refused([plugin('a', { provides: [tokens.clock] })], 'TOKEN_CLASH', '"a"', '@minions/host')
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

  test('an override of something that cannot be replaced', async () => {
    const replacing = { token: tokens.types, replace: (previous: unknown) => previous }
    await refused([plugin('a', { overrides: [replacing] })], 'OVERRIDE_INVALID', '"a"', tokens.types.name)
    const wrong = { token: tokens.clock, replace: () => 'noon' }
    await refused([plugin('a', { overrides: [wrong] })], 'OVERRIDE_INVALID', '"a"', tokens.clock.name)
    const cause = new Error('broken')
    const failing = override(tokens.clock, () => {
      throw cause
    })
    expect((await refused([plugin('a', { overrides: [failing] })], 'SETUP_FAILED', '"a"')).cause).toBe(cause)
  })

  test('the same plugin twice, and what is no plugin', async () => {
    await refused([plugin('a', { namespace: 'x' }), plugin('a', { namespace: 'y' })], 'PLUGIN_DUPLICATE', '"a"')
    await refused([{ name: 'a' } as unknown as Plugin], 'PLUGIN_INVALID', 'definePlugin')
    await refused([plugin as unknown as Plugin], 'PLUGIN_INVALID', 'call the function')
    await refused([plugin('a', { version: 'one' })], 'PLUGIN_INVALID', '"a"', '"one"')
    await refused([plugin('a', { namespace: 'not a name' })], 'PLUGIN_INVALID', '"a"')
    await refused([plugin('a', { requires: ['b@not a range'] })], 'PLUGIN_INVALID', '"a"', 'not a range')
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
  const token = createToken<string>('@acme/thing')
  const providing = (name: string) => plugin(name, { setup: ({ provide }) => provide(token, name) })
  const resolving = (name: string, requires: string[] = []) =>
    plugin(name, { requires, setup: ({ resolve }) => resolve(token) })

  const refusedInSetup = (plugins: readonly PluginEntry[], code: string, ...named: string[]) =>
    rejection(createMinions({ storage: 'memory:', plugins }), code, ...named)

  test('two silent providers of one token', async () => {
    await refusedInSetup([providing('a'), providing('b')], 'TOKEN_CLASH', '"a"', '"b"', '@acme/thing')
  })

  test('a token that nobody provides', async () => {
    await refusedInSetup([resolving('a')], 'TOKEN_MISSING', '"a"', '@acme/thing')
    await refusedInSetup([plugin('a', { setup: ({ override }) => override(token, String) })], 'TOKEN_MISSING', '"a"')
    const notAToken = { name: '@acme/thing' }
    await refusedInSetup([plugin('a', { setup: ({ resolve }) => resolve(notAToken) })], 'TOKEN_MISSING', 'createToken')
  })

  test('an override that comes too late', async () => {
    const late = plugin('late', { setup: ({ override }) => override(token, (text) => `${text}!`) })
    await refusedInSetup([providing('a'), resolving('b'), late], 'TOKEN_IN_USE', '"late"', '"b"')
    const clock = plugin('clock', { setup: ({ override }) => override(tokens.clock, () => () => 0) })
    await refusedInSetup([clock], 'OVERRIDE_INVALID', '"clock"', '`overrides`')
    const types = plugin('registry-2', { setup: ({ override }) => override(tokens.types, (registry) => registry) })
    await refusedInSetup([types], 'OVERRIDE_INVALID', '"registry-2"', 'cannot be replaced')
  })

  test('a setup that fails: what had started is disposed in reverse, the store is closed, the cause is kept', async () => {
    const calls: string[] = []
    const backend = memoryStorage()
    const close = backend.close.bind(backend)
    backend.close = () => close().then(() => void calls.push('store closed'))
    const noting = (name: string) =>
      plugin(name, {
        setup({ onDispose }) {
          onDispose(() => void calls.push(`${name}: first registered`))
          onDispose(() => void calls.push(`${name}: last registered`))
        },
        dispose: () => void calls.push(`${name}: dispose`),
      })
    const cause = new Error('no licence')
    const failing = plugin('failing', {
      async setup({ onDispose }) {
        onDispose(() => void calls.push('failing: registered before it failed'))
        throw cause
      },
      dispose: () => expect.fail('it had not started'),
    })
    const starting = createMinions({ storage: backend, plugins: [noting('a'), noting('b'), failing, plugin('never')] })
    const error = await rejection(starting, 'SETUP_FAILED', '"failing"', 'no licence')
    expect(error.cause).toBe(cause)
    expect(calls).toEqual([
      'failing: registered before it failed',
      'b: last registered',
      'b: first registered',
      'b: dispose',
      'a: last registered',
      'a: first registered',
      'a: dispose',
      'store closed',
    ])
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
      setup: ({ onDispose }) => onDispose(() => void disposed.push(`${name} callback`)),
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
  expect(disposed).toEqual(['c callback', 'c', 'b callback', 'b', 'a callback', 'a'])
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
