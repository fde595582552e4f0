import { describe, expect, it } from 'vitest'
import { migrateMinion, planMigration } from '../../src/evolution/index.js'
import type { FieldDefinition, Minion } from '../../src/index.js'
import { clockAt, deepFreeze, T0, T1, T2 } from '../lifecycle/support.js'

const number: FieldDefinition[] = [{ name: 'x', type: 'number' }]
const string: FieldDefinition[] = [{ name: 'x', type: 'string' }]
const flag: FieldDefinition[] = [{ name: 'x', type: 'boolean' }]

const minion = (fields: Record<string, unknown>, _legacy?: Record<string, unknown>): Minion =>
  deepFreeze({
    id: 'one',
    title: 'One',
    minionTypeId: 't',
    fields,
    createdAt: T0,
    updatedAt: T0,
    ...(_legacy && { _legacy }),
  })

function migrate(subject: Minion, from: FieldDefinition[], to: FieldDefinition[], time = T1) {
  return migrateMinion(subject, from, to, { clock: clockAt(time) })
}

describe('a value in _legacy', () => {
  it('comes back when its field does, and leaves _legacy', () => {
    const without = migrate(minion({ x: 5 }), number, [])
    expect(without._legacy).toEqual({ x: 5 })
    const back = migrate(without, [], number, T2)
    expect(back.fields).toEqual({ x: 5 })
    expect(Object.hasOwn(back, '_legacy')).toBe(false)
  })

  it('comes back when its field has its type again, and what took its place is set aside', () => {
    const away = migrate(minion({ x: 5 }), number, string)
    const back = migrate({ ...away, fields: { x: 'five' } }, string, number, T2)
    expect([back.fields, back._legacy]).toEqual([{ x: 5 }, { x: 'five' }])
    const again = migrate(back, number, string, T2)
    expect([again.fields, again._legacy]).toEqual([{ x: 'five' }, { x: 5 }])
  })

  it('stays when a newer value fits the field', () => {
    const back = migrate(minion({ x: 7 }, { x: 5 }), [], number)
    expect([back.fields, back._legacy]).toEqual([{ x: 7 }, { x: 5 }])
  })

  it('goes before the default that took its place, which is set aside', () => {
    const select = [{ name: 'x', type: 'select', options: ['a'], defaultValue: 'a' }] as FieldDefinition[]
    const away = migrate(minion({ x: 'text' }), string, select)
    expect([away.fields, away._legacy]).toEqual([{ x: 'a' }, { x: 'text' }])
    const back = migrate(away, select, string, T2)
    expect([back.fields, back._legacy]).toEqual([{ x: 'text' }, { x: 'a' }])
  })

  it('goes before a default', () => {
    const withDefault = [{ name: 'x', type: 'number', defaultValue: 1 }] as FieldDefinition[]
    expect(migrate(minion({}, { x: 5 }), [], withDefault).fields).toEqual({ x: 5 })
    expect(migrate(minion({}, { x: 'five' }), [], withDefault).fields).toEqual({ x: 1 })
  })

  it('comes back through other types: of several, the newest that fits', () => {
    const legacy = { x: 'text', [`x@${T0}`]: 1, [`x@${T1}`]: 2, [`x@${T1}#2`]: 3, 'x@home': 4 }
    const back = migrate(minion({}, legacy), flag, number, T2)
    expect(back.fields).toEqual({ x: 3 })
    expect(back._legacy).toEqual({ x: 'text', [`x@${T0}`]: 1, [`x@${T1}`]: 2, 'x@home': 4 })
  })

  it('stays when the field is unchanged, since it may have been emptied on purpose', () => {
    expect(migrate(minion({}, { x: 5 }), number, number).fields).toEqual({})
  })

  it('is reported', () => {
    const { minions } = planMigration([minion({}, { x: 5 })], [], [{ name: 'x', type: 'number', required: true }])
    expect(minions).toMatchObject([{ id: 'one', restored: ['x'], missingRequired: [], defaulted: [] }])
  })
})
