import type { CollectionQuery, Where } from '@minions/core'
import { formatPath, setOwn } from '@minions/core'
import fc, { type Arbitrary } from 'fast-check'
import type { Doc } from './collections.js'

/** Texts that databases, collations and query languages treat specially. U+FFFD and U+1F600 differ in UTF-16 order. */
const TEXTS = [
  '', 'a', 'A', 'b', 'B', 'ab', 'a b', 'á', 'a\u0301', 'Z', 'z', 'ß', 'İ', 'ﬁ', 'ς', '\uE000', '\uFFFD', '\u{1F600}', '\u{10FFFF}',
  '\u0001', '\u007f', ' ', '_', '%', '*', '?', "'", '"', '\\', '$', '0', '1', '9', '10', '-1', 'true', 'false', 'null', '[]', '{}',
] // biome-ignore format: a list to be read across

const NUMBERS = [
  0, 1, -1, 2, 9, 10, 1.5, -1.5, 0.1, 0.3, 0.1 + 0.2, 1e-7, 5e-324, 1e15, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1e20, 1e21, 2 ** 63,
  1.7976931348623157e308, 123456789.125, 4.35, 1 / 3,
] // biome-ignore format: a list to be read across

export const textValue = fc.constantFrom(...TEXTS)
const numberValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
)
const comparable = fc.oneof(textValue, numberValue, fc.boolean())
const scalar = fc.oneof({ weight: 6, arbitrary: comparable }, fc.constant(null))

/** Any JSON value that can be stored. */
export const jsonValue: Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }), tie('value'), { maxKeys: 4 }),
  ),
})).value

/** Properties of `things` that are columns, with values for them. */
const COLUMNS: readonly [readonly string[], Arbitrary<unknown>][] = [
  [['name'], textValue],
  [['rank'], numberValue],
  [['done'], fc.boolean()],
  [['labels'], fc.uniqueArray(textValue, { maxLength: 3 })],
  [['hints'], fc.array(textValue, { maxLength: 3 })],
  [['place', 'city'], textValue],
  [['createdAt'], fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z')],
]

/** Properties without a column, with names that path languages stumble over. */
const ODD_NAMES: readonly (readonly string[])[] = [
  ['any'], ['other'], ['deep', 'er'], ['odd.name'], [''], ['a', ''], ['q"uote'], ['back\\slash'], ['$'], ['$.any'], ['a[0]'], ['__proto__'],
  ['deep', '__proto__'], ['constructor'], ['0'], ["it's"], ['new\nline'], ['and'], ['not'], ['?'], ['%'], ['😀'], ['#'], ['any', 'er'],
] // biome-ignore format: a list to be read across

const anyValue = fc.oneof(
  { weight: 6, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.record({ er: scalar, '0': scalar }, { requiredKeys: [] }),
)

/** A record of `things`, most of whose values come from a small pool so that they meet. */
export function thing(id: Arbitrary<string>): Arbitrary<Doc> {
  const column = fc.constantFrom(...COLUMNS).chain(([names, value]) => fc.tuple(fc.constant(names), fc.option(value)))
  const odd = fc.tuple(fc.constantFrom(...ODD_NAMES), anyValue)
  const parts = fc.array(fc.oneof(column, odd), { minLength: 2, maxLength: 10 })
  return fc.tuple(id, parts).map(([key, list]) => {
    const record: Doc = {}
    for (const [names, value] of list) setAt(record, names, value)
    record.id = key
    return record
  })
}

const pathNames = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...COLUMNS.map(([names]) => names)) },
  { weight: 3, arbitrary: fc.constantFrom(...ODD_NAMES) },
  fc.constant<readonly string[]>(['id']),
)

const comparison: Arbitrary<unknown> = fc.oneof(
  scalar,
  fc.constantFrom('eq', 'ne').chain((op) => scalar.map((value) => ({ [op]: value }))),
  fc.constantFrom('gt', 'gte', 'lt', 'lte').chain((op) => comparable.map((value) => ({ [op]: value }))),
  fc.tuple(comparable, comparable).map(([low, high]) => ({ gte: low, lt: high })),
  fc.array(scalar, { maxLength: 4 }).map((list) => ({ in: list })),
  fc.boolean().map((isNull) => ({ isNull })),
  scalar.map((value) => ({ contains: value })),
)

/** Conditions on any of those properties, nested a little. */
const condition: Arbitrary<Where> = fc.letrec<{ where: Where }>((tie) => ({
  where: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.array(fc.tuple(pathNames.map(pathText), comparison), { minLength: 1, maxLength: 2 }).map(Object.fromEntries),
    fc.array(tie('where'), { maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('where'), { maxLength: 3 }).map((or) => ({ or })),
    tie('where').map((not) => ({ not })),
  ),
})).where

const orderable = pathNames.filter(([name]) => name !== 'labels' && name !== 'hints').map((names) => formatPath(names))

/** Questions to `things`, without text. */
export const question: Arbitrary<CollectionQuery> = fc.record(
  {
    where: condition,
    orderBy: fc.array(fc.record({ field: orderable, direction: fc.constantFrom('asc', 'desc') }), { maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 7 }),
  },
  { requiredKeys: ['limit'] },
)

/** A path as a condition writes it: names of groups have a backslash. */
function pathText(names: readonly string[]): string {
  const text = formatPath(names)
  return ['and', 'or', 'not'].includes(text) ? `\\${text}` : text
}

function setAt(record: Doc, names: readonly string[], value: unknown): void {
  let target = record
  for (const name of names.slice(0, -1)) {
    const inner = Object.hasOwn(target, name) ? target[name] : undefined
    const next: Doc = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Doc) : {}
    setOwn<unknown>(target, name, next)
    target = next
  }
  setOwn(target, names.at(-1) as string, value)
}
