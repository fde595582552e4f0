import { collectionFromDeclaration, type StoreReader } from '@minions/core/storage'
import fc from 'fast-check'
import { expect } from 'vitest'
import { budget } from '../budget.js'
import { casesOf } from '../case.js'
import type { Context } from '../context.js'
import { failure } from '../failure.js'
import { wordsText } from './arbitraries.js'
import { type Doc, idsOf, putTimes, things } from './collections.js'
import { answer } from './model.js'

/** Words that engines split, stem, fold or drop in their own ways. */
const TEXTS: Readonly<Record<string, string>> = {
  mail: 'Write to anna.maria+spam@Example-Mail.co.uk today',
  path: '/usr/local/lib/node_modules/@scope/pkg/index.d.ts',
  version: 'Released v1.10.2-beta.3+build.77 yesterday',
  german: 'Straße, GROẞ und Größe; Fuß',
  turkish: 'İstanbul ve Iğdır',
  ligature: 'ﬁnal oﬃce ﬂow',
  greek: 'ΟΔΥΣΣΕΥΣ και σοφός',
  french: 'Crème brûlée à l’œuf',
  composed: 'Cafe\u0301 and Café',
  chinese: '自然語言處理 テスト 한국어',
  code: 'const foo_bar = fooBar(a-b); // TODO: C++ & C#',
  stop: 'the and or not near to be or not to be',
  running: 'running runs ran runner',
  numbers: '3.14 1,000,000 ½ x² Ⅻ 007',
  emoji: 'party🎉time 👩‍👩‍👧 end',
  long: `begin ${'x'.repeat(200)} end`,
  hindi: 'हिन्दी भाषा',
}

/** The queries that must find one of the texts, and only this one. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  mail: ['example', 'anna.maria+spam@example-mail.co.uk', 'SPAM mail'],
  path: ['node_modules', 'modules scope', '/usr/local'],
  version: ['1.10', 'v1.10.2', 'beta 77'],
  german: ['straße', 'STRAẞE', 'grö', 'GRO'],
  turkish: ['istanbul', 'İSTANBUL', 'igd'],
  ligature: ['final', 'office flow'],
  greek: ['οδυσσευς', 'ΟΔΥΣΣΕΥΣ', 'σοφοσ'],
  french: ['creme brulee', 'œuf'],
  composed: ['CAFÉ', 'cafe\u0301'],
  chinese: ['自然', 'テスト', '한국'],
  code: ['foo bar', 'foo_bar', 'foobar'],
  stop: ['the not', 'or', 'NOT', 'near'],
  running: ['runn', 'run'],
  numbers: ['14', '000', 'x2', 'xii', '007'],
  emoji: ['party', 'time end'],
  long: ['x'.repeat(64), 'x'.repeat(200)],
  hindi: ['हिन्दी', 'भा'],
}

/** Queries that must find none: parts of words, and words folded or stemmed too far. */
const UNMATCHED = ['xample', 'strass', 'runners']

/** Full-text search. On a backend that does not support it, each case verifies that it is refused. */
export const search = casesOf('search', {
  'every word of the query is a prefix of a word of the text, ignoring case and accents': (context) =>
    searching(context, async (store) => {
      const records = Object.entries(TEXTS).map(([id, text]) => ({ id, text }))
      await store.putMany(things, records)
      const finds = async (text: string, expected: readonly string[]) => {
        expect(await idsOf(store, things, { text }), text).toEqual(expected)
        expect(await store.count(things, { text }), text).toBe(expected.length)
      }
      for (const [id, queries] of Object.entries(QUERIES)) for (const text of queries) await finds(text, [id])
      for (const text of UNMATCHED) await finds(text, [])
    }),

  'syntax of a search engine is text': (context) =>
    searching(context, async (store) => {
      await store.put(things, { id: 'a', text: 'alpha beta near or 100% done' })
      const found = async (text: string) => (await idsOf(store, things, { text })).length === 1
      for (const text of [
        'alpha*',
        '"alpha beta"',
        'al* be*',
        '"al',
        "alpha'",
        '(beta',
        'alpha)',
        '+alpha',
        'alpha:*',
        '100%',
        'beta alpha',
      ]) {
        expect(await found(text), text).toBe(true)
      }
      for (const text of [
        'alpha NOT beta x',
        'alpha AND gamma',
        'alpha | gamma',
        'alpha OR gamma',
        'words:alpha',
        '-alpha^2',
      ]) {
        expect(await found(text), text).toBe(false)
      }
      expect(await found('NEAR(alpha beta)')).toBe(true)
      expect(await found('{alpha} : beta')).toBe(true)
    }),

  'a query without words restricts nothing': (context) =>
    searching(context, async (store) => {
      await store.putMany(things, [{ id: 'a', text: 'x' }, { id: 'b' }])
      for (const text of ['', '   ', '!?', '🎉']) expect(await idsOf(store, things, { text })).toEqual(['a', 'b'])
    }),

  'the index follows every change of a record': (context) =>
    searching(context, async (store) => {
      const found = (text: string, reader: StoreReader = store) => idsOf(reader, things, { text })
      await store.put(things, { id: 'a', text: 'first words' })
      await store.put(things, { id: 'a', text: 'second words' })
      expect(await found('first')).toEqual([])
      expect(await found('second wor')).toEqual(['a'])
      await store.transaction(async (tx) => {
        await tx.put(things, { id: 'a', text: 'third' })
        await tx.put(things, { id: 'b', text: 'third too' })
        expect(await found('third', tx)).toEqual(['a', 'b'])
        expect(await found('second', tx)).toEqual([])
        await tx.delete(things, 'a')
        expect(await found('third', tx)).toEqual(['b'])
      })
      expect(await found('third')).toEqual(['b'])
      await store.put(things, { id: 'b', text: null })
      expect(await found('third')).toEqual([])
    }),

  'words, conditions, order and cursors can be combined': (context) =>
    searching(context, async (store) => {
      await putTimes(store, things, 30, (index) => ({
        id: `t${String(index).padStart(2, '0')}`,
        text: index % 2 ? 'odd one' : 'even one',
        rank: index % 3,
      }))
      const query = {
        text: 'odd on',
        where: { rank: { gt: 0 } },
        orderBy: [{ field: 'rank', direction: 'desc' as const }, { field: 'id' }],
      }
      const expected = ['05', '11', '17', '23', '29', '01', '07', '13', '19', '25'].map((id) => `t${id}`)
      expect(await idsOf(store, things, { ...query, limit: 3 })).toEqual(expected)
      expect(await store.count(things, query)).toBe(10)
    }),

  'random texts are found as the model finds them': (context) =>
    searching(context, async (store) => {
      const property = fc.asyncProperty(
        fc.array(wordsText, { maxLength: 10 }),
        fc.array(wordsText, { minLength: 6, maxLength: 6 }),
        async (texts, queries) => {
          await store.deleteMany(things, (await idsOf(store, things)) as string[])
          const records: Doc[] = texts.map((content, index) => ({ id: `t${index}`, text: content }))
          await store.putMany(things, records)
          for (const asked of queries) {
            const expected = answer(records, { text: asked }).map(({ id }) => id)
            expect(await idsOf(store, things, { text: asked }), JSON.stringify(asked)).toEqual(expected)
          }
        },
      )
      await fc.assert(property, budget(30))
    }),

  'only the beginning of a very long text is searched': (context) =>
    searching(context, async (store) => {
      await store.put(things, { id: 'a', text: `early ${'filler '.repeat(60_000)} late` })
      expect(await idsOf(store, things, { text: 'early' })).toEqual(['a'])
      expect(await idsOf(store, things, { text: 'late' })).toEqual([])
    }),

  'a text index built with another folding is rebuilt': async (context) => {
    if (!context.backend.capabilities.search) return
    const old = collectionFromDeclaration({ ...things.declaration, foldVersion: things.declaration.foldVersion - 1 })
    const before = await context.open(old)
    const write = old.toWrite({ id: 'a', text: 'Größe' }, 'r1')
    await before.backend.transaction((tx) => tx.put(old.name, [{ ...write, words: ['groesse'] }]))
    expect(await idsOf(before, things, { text: 'groesse' })).toEqual(['a'])
    const after = await context.openAgain(things)
    expect(await idsOf(after, things, { text: 'groesse' })).toEqual([])
    expect(await idsOf(after, things, { text: 'größe' })).toEqual(['a'])
  },
})

async function searching(context: Context, work: (store: Awaited<ReturnType<Context['open']>>) => Promise<void>) {
  const store = await context.open(things)
  if (context.backend.capabilities.search) return work(store)
  await failure(store.find(things, { text: 'word' }), 'CAPABILITY_MISSING')
  await failure(store.count(things, { text: 'word' }), 'CAPABILITY_MISSING')
  await failure(
    store.transaction((tx) => tx.find(things, { text: 'word' })),
    'CAPABILITY_MISSING',
  )
}
