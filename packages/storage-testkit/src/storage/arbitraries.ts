import type { Where } from '@minions/core'
import { isRecord, setOwn } from '@minions/core/json'
import type { CollectionQuery } from '@minions/core/storage'
import { formatPath } from '@minions/core/storage'
import fc, { type Arbitrary } from 'fast-check'
import type { Doc } from './collections.js'

/**
 * Strings that databases, collations and query languages treat specially. U+FFFD and U+1F600 differ in UTF-16 order.
 */
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
/** Values shared by many records, so that a comparison with one finds several. */
const commonValue = fc.constantFrom('a', 'b', '', 'A', '1', 0, 1, 2, 1.5, true, false)
const comparable = fc.oneof({ weight: 4, arbitrary: commonValue }, textValue, numberValue, fc.boolean())
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
const COLUMNS: readonly (readonly [readonly string[], Arbitrary<unknown>])[] = [
  [['name'], fc.oneof(fc.constantFrom('a', 'b', ''), textValue)],
  [['rank'], fc.oneof(fc.constantFrom(0, 1, 2), numberValue)],
  [['done'], fc.boolean()],
  [['labels'], fc.uniqueArray(textValue, { maxLength: 3 })],
  [['hints'], fc.array(textValue, { maxLength: 3 })],
  [['place', 'city'], textValue],
  [['createdAt'], fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z')],
]

/** Properties without a column that most records have. */
const PLAIN_NAMES: readonly (readonly string[])[] = [['any'], ['other'], ['deep', 'er']]

/** Properties without a column, with names that are difficult for path languages. */
const ODD_NAMES: readonly (readonly string[])[] = [
  ['odd.name'], [''], ['a', ''], ['q"uote'], ['back\\slash'], ['$'], ['$.any'], ['a[0]'], ['__proto__'],
  ['deep', '__proto__'], ['constructor'], ['0'], ["it's"], ['new\nline'], ['and'], ['not'], ['?'], ['%'], ['😀'], ['#'], ['any', 'er'],
] // biome-ignore format: a list to be read across

const otherNames = fc.oneof(fc.constantFrom(...PLAIN_NAMES), fc.constantFrom(...ODD_NAMES))

const anyValue = fc.oneof(
  { weight: 6, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.record({ er: scalar, '0': scalar }, { requiredKeys: [] }),
)

/** Words that engines split, stem or fold in their own ways. */
const WORDS = [
  'a', 'ab', 'abc', 'Ab', 'á', 'b', 'ß', 'ss', 'İ', 'i', 'I', 'ﬁ', 'fi', 'σς', 'ΣΣ', '1.0', '1', '自然', '自', 'a-b', 'x_y', 'é', 'e\u0301',
  '"', '*', '(', 'Å', 'K',
] // biome-ignore format: a list to be read across

/** Up to five words, as text or as a search. */
export const wordsText = fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }).map((list) => list.join(' '))

/** A record of `things`, most of whose values come from a small pool so that they coincide. */
export function thing(id: Arbitrary<string>): Arbitrary<Doc> {
  const column = fc.constantFrom(...COLUMNS).chain(([names, value]) => fc.tuple(fc.constant(names), fc.option(value)))
  const other = fc.tuple(otherNames, anyValue)
  const text = fc.tuple(fc.constant(['text']), wordsText)
  const parts = fc.array(fc.oneof({ weight: 4, arbitrary: column }, { weight: 4, arbitrary: other }, text), {
    minLength: 2,
    maxLength: 10,
  })
  return fc.tuple(id, parts).map(([key, list]) => {
    const record: Doc = {}
    for (const [names, value] of list) setAt(record, names, value)
    record.id = key
    return record
  })
}

const pathNames = fc.oneof(fc.constantFrom(...COLUMNS.map(([names]) => names)), otherNames)

/** Comparisons with one of some values, all of which have an order. */
function comparisonWith(value: Arbitrary<string | number | boolean>): Arbitrary<unknown> {
  const orNull = fc.oneof({ weight: 6, arbitrary: value }, fc.constant(null))
  const oneIn = (list: readonly unknown[]) => ({ in: list })
  return fc.oneof(
    orNull,
    fc.constantFrom('eq', 'ne').chain((op) => orNull.map((operand) => ({ [op]: operand }))),
    fc.constantFrom('gt', 'gte', 'lt', 'lte').chain((op) => value.map((operand) => ({ [op]: operand }))),
    fc.tuple(value, value).map(([low, high]) => ({ gte: low, lt: high })),
    fc.array(orNull, { maxLength: 4 }).map(oneIn),
    fc.array(value, { minLength: 1, maxLength: 3 }).map(oneIn),
    fc.array(value, { minLength: 20, maxLength: 50 }).map(oneIn),
    fc.boolean().map((isNull) => ({ isNull })),
    orNull.map((operand) => ({ contains: operand })),
  )
}

/** Conditions on any of those properties and on the key, nested a little. */
function conditionOn(id: Arbitrary<string>): Arbitrary<Where> {
  const one = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(pathNames.map(pathText), comparisonWith(comparable)) },
    fc.tuple(fc.constant('id'), comparisonWith(fc.oneof({ weight: 6, arbitrary: id }, comparable))),
  )
  return fc.letrec<{ where: Where }>((tie) => ({
    where: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.array(one, { minLength: 1, maxLength: 2 }).map(Object.fromEntries),
      fc.array(tie('where'), { maxLength: 3 }).map((and) => ({ and })),
      fc.array(tie('where'), { maxLength: 3 }).map((or) => ({ or })),
      tie('where').map((not) => ({ not })),
    ),
  })).where
}

const direction = fc.constantFrom('asc' as const, 'desc' as const)

const orderable = fc
  .oneof({ weight: 6, arbitrary: pathNames }, fc.constant<readonly string[]>(['id']))
  .filter(([name]) => name !== 'labels' && name !== 'hints')
  .map((names) => formatPath(names))

/** Orders by any properties, and those that an index of `things` may provide. */
const order = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.record({ field: orderable, direction }), { maxLength: 3 }) },
  fc
    .tuple(fc.constantFrom(['rank'], ['done', 'rank'], ['name', 'createdAt'], ['createdAt']), direction)
    .map(([fields, one]) => fields.map((field) => ({ field, direction: one }))),
)

/** Queries of `things`, without text; some select records by id. */
export function queryOn(id: Arbitrary<string>): Arbitrary<CollectionQuery> {
  const limit = fc.integer({ min: 1, max: 7 })
  return fc.record({ where: conditionOn(id), orderBy: order, limit }, { requiredKeys: ['limit'] })
}

/** The same in pages of any size, and with words to search for. */
export function searchOn(id: Arbitrary<string>): Arbitrary<CollectionQuery> {
  const limit = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 7 }) }, fc.constantFrom(20, 300, 5000))
  const text = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, wordsText)
  return fc
    .record({ where: conditionOn(id), orderBy: order, text, limit }, { requiredKeys: ['limit'] })
    .map(({ text: words, ...query }) => (words ? { ...query, text: words } : query))
}

/** A path as written in a condition: names of groups have a backslash. */
function pathText(names: readonly string[]): string {
  const text = formatPath(names)
  return ['and', 'or', 'not'].includes(text) ? `\\${text}` : text
}

function setAt(record: Doc, names: readonly string[], value: unknown): void {
  let target = record
  for (const name of names.slice(0, -1)) {
    const inner = Object.hasOwn(target, name) ? target[name] : undefined
    const next: Doc = isRecord(inner) ? inner : {}
    setOwn<unknown>(target, name, next)
    target = next
  }
  setOwn(target, names.at(-1) as string, value)
}
