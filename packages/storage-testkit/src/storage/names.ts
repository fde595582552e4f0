import { expect } from 'vitest'
import { casesOf } from '../case.js'
import { failure } from '../failure.js'
import { type Doc, type DocCollection, documents, idsOf } from './collections.js'

/**
 * Names that are difficult for some database: SQL keywords, quotes, near duplicates, overlong names, names of system
 * objects.
 */
const HOSTILE = [
  ...['select', 'order', 'group', 'user', 'table', 'values', 'current_date', 'true', 'null'],
  ...['id', 'key', 'revision', 'doc', 'words', 'rowid', 'oid', 'ctid', 'xmin', 'tableoid', 'expect', 'column_0', 'c'],
  ...['_row', '_key', '_doc', '_revision_v1', '_words_1', '_id', '_0', '__proto__', 'constructor'],
  ...['status', 'Status', 'STATUS', 'status_2', 'é', 'e\u0301', 'ǅ', 'ı', 'İ'],
  ...['a"b', "a'b", 'a`b', 'a b', 'a.b', 'a]b', 'a;--', 'a\\b', '"; DROP TABLE x; --', '', '.', ' ', '\n', '\u202e'],
  ...['1st', '$1', '?', ':a', '%s', '@', '日本語', '😀', 'x'.repeat(62), 'x'.repeat(63)],
  ...[
    'x'.repeat(64),
    `${'x'.repeat(64)}y`,
    'é'.repeat(40),
    `${'é'.repeat(40)}y`,
    '😀'.repeat(30),
    `a${'日'.repeat(30)}`,
  ],
]

const COLLECTIONS = [
  ...['order', 'order_', 'order__', 'user', 'table', 'select', 'catalogue', 'minions_catalogue', 'c', 'd', 'o', 't'],
  ...['sqlite_stat1', 'c_sqlite_stat1', 'pg_class', 'a', 'a_words', 'a_words_data', 'a_l0', 'a_i0', 'a_key', 'a_old'],
  ...['i0_a', 't_a', 'c_a', 'a_v1', 'a_v1_v1', `x${'y'.repeat(47)}`],
]

const path = (index: number) => `value${index}`

/** The value of a column differs from that of every other column and record. */
const record = (id: string): Doc => ({
  id,
  ...Object.fromEntries(HOSTILE.map((name, index) => [path(index), `${id} ${name}`])),
  list: [`${id} list`],
  text: `${id}text`,
})

const columns = Object.fromEntries(
  HOSTILE.map((name, index) => [name, { type: 'string', path: path(index), unique: index % 3 === 0 } as const]),
)

const hostile = documents('kit_names', {
  columns: { ...columns, 'list"': { type: 'strings', path: 'list', indexed: true } },
  indexes: HOSTILE.flatMap((name, index) => (index % 5 === 0 ? [[name, HOSTILE[index + 1] ?? 'id']] : [])),
  references: [{ columns: ['select'], collection: 'kit_names_targets', when: { column: 'order', eq: 'refers' } }],
  createdAt: 'Status',
  text: 'text',
})

const targets = documents('kit_names_targets', { key: 'select' })

const named = (name: string): DocCollection =>
  documents(name, {
    text: 'text',
    columns: { labels: { type: 'strings', indexed: true }, code: { type: 'string', unique: true }, owner: 'string' },
    references: [{ columns: ['owner'], collection: 'order' }],
  })

/** Collections and columns may have any name that a declaration allows. */
export const names = casesOf('names', {
  'columns may be called anything: each keeps its own values, and is queried, ordered and enforced': async (
    context,
  ) => {
    const store = await context.open(hostile, targets)
    const ids = ['a', 'b', 'c']
    await store.putMany(hostile, ids.map(record))
    await store.put(hostile, { ...record('b'), more: true })
    const again = await context.openAgain(hostile, targets)
    expect(await again.get(hostile, 'b')).toEqual({ ...record('b'), more: true })
    for (const [index, name] of HOSTILE.entries()) {
      expect(await idsOf(again, hostile, { where: { [path(index)]: `b ${name}` } }), name).toEqual(['b'])
      const orderBy = [{ field: path(index), direction: 'desc' }] as const
      expect(await idsOf(again, hostile, { orderBy, limit: 1 }), name).toEqual(['c', 'b', 'a'])
    }
    expect(await idsOf(again, hostile, { where: { list: { contains: 'c list' } } })).toEqual(['c'])
    if (context.backend.capabilities.search) expect(await idsOf(again, hostile, { text: 'atext' })).toEqual(['a'])
  },

  'a unique rule on such a column is enforced, and named as it was declared': async (context) => {
    const store = await context.open(hostile, targets)
    await store.put(hostile, record('a'))
    for (const [index, name] of HOSTILE.entries()) {
      const twin = { ...record('b'), [path(index)]: `a ${name}` }
      if (index % 3 !== 0) await store.put(hostile, twin)
      else {
        const error = await failure(store.put(hostile, twin), 'UNIQUE_VIOLATION')
        expect(error.details).toMatchObject({ collection: hostile.name, key: 'b', columns: [name] })
      }
    }
  },

  'a reference over such columns is enforced': async (context) => {
    const store = await context.open(hostile, targets)
    const [select, order] = [HOSTILE.indexOf('select'), HOSTILE.indexOf('order')].map(path)
    const referring = { ...record('a'), [select as string]: 'there', [order as string]: 'refers' }
    await failure(store.put(hostile, referring), 'REFERENCE_VIOLATION')
    await store.put(targets, { select: 'there' })
    await store.put(hostile, referring)
    await failure(store.delete(targets, 'there'), 'REFERENCE_VIOLATION')
  },

  'collections may be called anything that a name allows, side by side': async (context) => {
    const all = COLLECTIONS.map(named)
    const store = await context.open(...all)
    const of = (name: string): Doc => ({ id: 'x', name, text: 'word', labels: ['l'], code: 'c', owner: null })
    for (const collection of all) await store.put(collection, of(collection.name))
    const again = await context.openAgain(...all)
    for (const collection of all) {
      expect(await again.get(collection, 'x')).toEqual(of(collection.name))
      expect(await idsOf(again, collection, { where: { labels: { contains: 'l' } } })).toEqual(['x'])
      if (context.backend.capabilities.search) expect(await idsOf(again, collection, { text: 'word' })).toEqual(['x'])
      await failure(again.put(collection, { ...of(collection.name), id: 'y' }), 'UNIQUE_VIOLATION')
      await failure(again.put(collection, { ...of(collection.name), owner: 'nobody' }), 'REFERENCE_VIOLATION')
    }
    expect((await again.catalogue()).map(({ name }) => name)).toEqual([...COLLECTIONS].sort())
  },
})
