import { describe, expect, it } from 'vitest'
import { migrateMinion } from '../../src/evolution/index.js'
import type { FieldDefinition, Minion } from '../../src/index.js'
import { agentType } from '../../src/types/index.js'
import { clockAt, deepFreeze, T1, T2 } from '../lifecycle/support.js'

const before: Minion = deepFreeze({
  id: 'agent-001',
  title: 'Research Assistant',
  minionTypeId: 'builtin-agent',
  fields: { role: 'researcher', model: 'gpt-4', temperature: 0.7, maxTokens: 4096 },
  createdAt: '2024-01-15T10:00:00Z',
  updatedAt: '2024-01-15T10:00:00Z',
})

const at = { clock: clockAt(T1) }
const minion = (fields: Record<string, unknown>, rest: Partial<Minion> = {}): Minion =>
  deepFreeze({ ...before, fields, ...rest })
const field = (type: FieldDefinition['type'], rest: Partial<FieldDefinition> = {}): FieldDefinition => ({
  name: 'x',
  type,
  ...rest,
})

/** Migrates a minion with one field `x` and returns what became of it. */
function migrate(value: unknown, from: FieldDefinition | undefined, to: FieldDefinition | undefined) {
  const { fields, _legacy } = migrateMinion(minion({ x: value }), from ? [from] : [], to ? [to] : [], at)
  return { fields, _legacy }
}

describe('migrateMinion', () => {
  it('conformance 7: the worked example comes out to the letter', () => {
    const newSchema = deepFreeze([
      ...agentType.schema
        .filter(({ name }) => name !== 'temperature')
        .map((definition) =>
          definition.name === 'maxTokens' ? { ...definition, type: 'string' as const } : definition,
        ),
      { name: 'provider', type: 'string' as const, defaultValue: 'openai' },
    ])
    const { searchableText, ...after } = migrateMinion(before, agentType.schema, newSchema, {
      clock: clockAt('2024-06-01T12:00:00Z'),
    })
    expect(after).toStrictEqual({
      id: 'agent-001',
      title: 'Research Assistant',
      minionTypeId: 'builtin-agent',
      fields: { role: 'researcher', model: 'gpt-4', provider: 'openai' },
      _legacy: { temperature: 0.7, maxTokens: 4096 },
      createdAt: '2024-01-15T10:00:00Z',
      updatedAt: '2024-06-01T12:00:00.000Z',
    })
    expect(searchableText).toBe('research assistant gpt-4 openai researcher')
  })

  it('a field added: gets its default, or stays without', () => {
    expect(migrateMinion(minion({}), [], [field('number', { defaultValue: 0 })], at).fields).toEqual({ x: 0 })
    expect(migrateMinion(minion({}), [], [field('number')], at).fields).toEqual({})
  })

  it('a field removed: its value moves to _legacy', () => {
    expect(migrate('a', field('string'), undefined)).toEqual({ fields: {}, _legacy: { x: 'a' } })
  })

  it('nothing moved: there is no _legacy', () => {
    const migrated = migrateMinion(before, agentType.schema, agentType.schema, at)
    expect(Object.hasOwn(migrated, '_legacy')).toBe(false)
    expect(migrated.fields).toEqual(before.fields)
    expect(migrated.updatedAt).toBe(T1)
  })

  it('decision 1.10: a value fits when it passes the type and options of the new definition', () => {
    expect(migrate('a', field('string'), field('textarea'))).toEqual({ fields: { x: 'a' }, _legacy: undefined })
    expect(migrate('a', field('string'), field('email'))).toEqual({ fields: {}, _legacy: { x: 'a' } })
    expect(migrate('a@b.org', field('string'), field('email'))).toEqual({
      fields: { x: 'a@b.org' },
      _legacy: undefined,
    })
    expect(migrate('c', field('string'), field('select', { options: ['a', 'b'] }))._legacy).toEqual({ x: 'c' })
    expect(migrate('a', field('string'), field('select', { options: ['a', 'b'] })).fields).toEqual({ x: 'a' })
    expect(migrate(4, field('string'), field('json'))).toEqual({ fields: { x: 4 }, _legacy: undefined })
  })

  it('decision 1.10: validation constraints do not count', () => {
    expect(migrate('abc', field('textarea'), field('string', { validation: { maxLength: 1 } })).fields).toEqual({
      x: 'abc',
    })
    expect(migrate(9, field('json'), field('number', { validation: { max: 1 } })).fields).toEqual({ x: 9 })
  })

  it('decision 1.10: the new default takes the place of a value that did not fit', () => {
    expect(migrate(1, field('number'), field('string', { defaultValue: 'one' }))).toEqual({
      fields: { x: 'one' },
      _legacy: { x: 1 },
    })
  })

  it('decision 1.10: a value that stood under the name of an added field is judged the same', () => {
    expect(migrate(1, undefined, field('string', { defaultValue: 'one' }))).toEqual({
      fields: { x: 'one' },
      _legacy: { x: 1 },
    })
    expect(migrate('a', undefined, field('string', { defaultValue: 'one' }))).toEqual({
      fields: { x: 'a' },
      _legacy: undefined,
    })
  })

  it('decision 1.10: keys unknown to both schemas stay', () => {
    expect(migrate(1, undefined, undefined)).toEqual({ fields: { x: 1 }, _legacy: undefined })
  })

  it('decision 1.11: a value outside shrunken options stays', () => {
    const select = (options: string[]) => field('select', { options })
    expect(migrate('b', select(['a', 'b']), select(['a']))).toEqual({ fields: { x: 'b' }, _legacy: undefined })
  })

  it('a validation changed: existing values are not judged by it', () => {
    expect(migrate(5, field('number'), field('number', { validation: { max: 1 } })).fields).toEqual({ x: 5 })
  })

  it('decision 1.12: the newest value stands under the key, the earlier one under key@time', () => {
    const once = migrateMinion(minion({ x: 1 }), [field('number')], [], at)
    const again = { ...once, fields: { x: 'two' } }
    const twice = migrateMinion(deepFreeze(again), [field('string')], [], { clock: clockAt(T2) })
    expect(twice._legacy).toEqual({ x: 'two', [`x@${T2}`]: 1 })
    const thrice = migrateMinion({ ...twice, fields: { x: 3 } }, [field('number')], [], { clock: clockAt(T2) })
    expect(thrice._legacy).toEqual({ x: 3, [`x@${T2}`]: 1, [`x@${T2}#2`]: 'two' })
  })

  it('decision 1.13: a minion that lacks a required value is not altered for it', () => {
    expect(migrateMinion(minion({}), [field('string')], [field('string', { required: true })], at)).toEqual({
      ...minion({}),
      updatedAt: T1,
      searchableText: 'research assistant',
    })
  })

  it('copies defaults and shares nothing with the minion', () => {
    const defaultValue = { deep: [] }
    const source = minion({ keep: { a: [1] } })
    const first = migrateMinion(source, [], [field('json', { defaultValue })], at)
    expect(first.fields.x).toEqual(defaultValue)
    expect(first.fields.x).not.toBe(defaultValue)
    expect(first.fields.keep).not.toBe(source.fields.keep)
  })

  it('treats __proto__ as an ordinary field name', () => {
    const source = minion(JSON.parse('{"__proto__":1}'))
    const removed = migrateMinion(source, [{ name: '__proto__', type: 'number' }], [], at)
    expect(Object.entries(removed._legacy ?? {})).toEqual([['__proto__', 1]])
    const added = migrateMinion(minion({}), [], [{ name: '__proto__', type: 'number', defaultValue: 2 }], at)
    expect(Object.entries(added.fields)).toEqual([['__proto__', 2]])
  })
})
