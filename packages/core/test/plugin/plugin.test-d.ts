import { expectTypeOf, test } from 'vitest'
import type { Clock, Minions, MinionsAccess } from '../../src/index.js'
import {
  type ApiOf,
  type Contributed,
  createToken,
  definePlugin,
  extensionPoint,
  optional,
  override,
  pluginRef,
  provide,
  type TransactionOf,
  tokens,
} from '../../src/plugin/index.js'
import type { StoreTransaction } from '../../src/storage/index.js'

interface Words {
  greeting(): string
}
interface WordsTransaction {
  remember(word: string): Promise<void>
}
const wordsRef = pluginRef<Words, WordsTransaction>()('@acme/words', 'words')
const clockRef = pluginRef<{ now(): number }>()('@acme/clock', 'clockTower')
const queueToken = createToken<{ push(item: string): void }>('@acme/queue')
const formats = extensionPoint<{ readonly name: string; render(text: string): string }>('@acme/formats', {
  key: ({ name }) => name,
})

test('a reference carries its names and types', () => {
  expectTypeOf(wordsRef.name).toEqualTypeOf<'@acme/words'>()
  expectTypeOf(wordsRef.namespace).toEqualTypeOf<'words'>()
  expectTypeOf<ApiOf<typeof wordsRef>>().toEqualTypeOf<Words>()
  expectTypeOf<TransactionOf<typeof wordsRef>>().toEqualTypeOf<WordsTransaction>()
  expectTypeOf<TransactionOf<typeof clockRef>>().toEqualTypeOf<never>()
  expectTypeOf(wordsRef.range('^1.2')).toEqualTypeOf(wordsRef)
})

test('setup receives exactly what deps names', () => {
  definePlugin({
    ref: clockRef,
    version: '1.0.0',
    deps: {
      words: wordsRef.range('^1'),
      queue: optional(queueToken),
      later: optional(wordsRef),
      formats,
      client: tokens.client,
      clock: tokens.clock,
    },
    setup(deps) {
      expectTypeOf(deps.words).toEqualTypeOf<Words>()
      expectTypeOf(deps.queue).toEqualTypeOf<{ push(item: string): void } | undefined>()
      expectTypeOf(deps.later).toEqualTypeOf<Words | undefined>()
      expectTypeOf(deps.client).toEqualTypeOf<Minions>()
      expectTypeOf(deps.clock).toEqualTypeOf<Clock>()
      expectTypeOf(deps.formats[0]).toEqualTypeOf<
        Contributed<{ readonly name: string; render(text: string): string }> | undefined
      >()
      // @ts-expect-error it did not ask for the store
      deps.store
      return { now: () => Number(deps.clock()) }
    },
  })
})

test('a plugin without dependencies receives nothing', () => {
  definePlugin({
    ref: clockRef,
    version: '1.0.0',
    setup(deps) {
      // @ts-expect-error it asked for nothing
      deps.client
      return { now: () => 0 }
    },
  })
})

test('the API is that of the reference', () => {
  // @ts-expect-error the API lacks a method
  definePlugin({ ref: clockRef, version: '1.0.0', setup: () => ({}) })
  definePlugin({
    ref: clockRef,
    version: '1.0.0',
    setup: async () => ({ now: () => 0 }),
    dispose: (api) => void api.now(),
  })
})

test('join is there exactly if the reference has something to offer in a transaction', () => {
  definePlugin({
    ref: wordsRef,
    version: '1.0.0',
    deps: { client: tokens.client, store: tokens.store, other: wordsRef, tower: clockRef, clock: tokens.clock },
    setup: () => ({ greeting: () => 'Hello' }),
    join(api, deps) {
      expectTypeOf(api).toEqualTypeOf<Words>()
      expectTypeOf(deps.client).toEqualTypeOf<MinionsAccess>()
      expectTypeOf(deps.store).toEqualTypeOf<StoreTransaction>()
      expectTypeOf(deps.other).toEqualTypeOf<WordsTransaction>()
      expectTypeOf(deps.clock).toEqualTypeOf<Clock>()
      // @ts-expect-error the clock tower offers nothing in a transaction
      deps.tower
      return { remember: async () => {} }
    },
  })
  // @ts-expect-error join is missing
  definePlugin({ ref: wordsRef, version: '1.0.0', setup: () => ({ greeting: () => 'Hello' }) })
  definePlugin({
    ref: clockRef,
    version: '1.0.0',
    setup: () => ({ now: () => 0 }),
    // @ts-expect-error the reference has no transaction type
    join: () => ({ remember: async () => {} }),
  })
})

test('contributions, services and overrides fit what they are for', () => {
  definePlugin({
    ref: wordsRef,
    version: '1.0.0',
    contributes: [[formats, [{ name: 'loud', render: (text) => text.toUpperCase() }]]],
    provides: [provide(queueToken, (api: Words) => ({ push: (item) => void `${api.greeting()} ${item}` }))],
    overrides: [
      override(tokens.clock, (previous) => () => previous()),
      override(tokens.ids, (previous) => () => previous()),
    ],
    setup: () => ({ greeting: () => 'Hello' }),
    join: () => ({ remember: async () => {} }),
  })
  definePlugin({
    ref: clockRef,
    version: '1.0.0',
    // @ts-expect-error a format has a name
    contributes: [[formats, [{ render: (text: string) => text }]]],
    // @ts-expect-error a queue has push
    provides: [provide(queueToken, () => ({ pop() {} })), provide(queueToken, (_: Words) => ({ push() {} }))],
    // @ts-expect-error a source of ids gives texts
    overrides: [override(tokens.ids, () => () => 7)],
    setup: () => ({ now: () => 0 }),
  })
})
