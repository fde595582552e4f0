import { describe, expect, it } from 'vitest'
import { migrateMinion, planMigration, type Transforms } from '../../src/evolution/index.js'
import type { FieldDefinition, Minion } from '../../src/index.js'
import { clockAt, deepFreeze, T0, T1 } from '../lifecycle/support.js'

const string: FieldDefinition[] = [{ name: 'year', type: 'string' }]
const number: FieldDefinition[] = [{ name: 'year', type: 'number', defaultValue: 1900 }]

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

function transform(subject: Minion, transforms: Transforms, from = string, to = number) {
  const { fields, _legacy } = migrateMinion(subject, from, to, { clock: clockAt(T1), transform: transforms })
  const [report] = planMigration([subject], from, to, { transform: transforms }).minions
  return { fields, _legacy, report }
}

describe('a transform', () => {
  it('converts the value of its field', () => {
    const { fields, _legacy, report } = transform(minion({ year: '1984' }), { year: Number })
    expect([fields, _legacy]).toEqual([{ year: 1984 }, undefined])
    expect(report).toMatchObject({ transformed: ['year'], movedToLegacy: [], transformErrors: [], defaulted: [] })
  })

  it('sees the whole minion, a copy, and gives a value to a field that is new', () => {
    const given: Minion[] = []
    const { fields } = transform(
      minion({ year: '1984' }),
      {
        label: (value, whole) => {
          given.push(whole)
          whole.fields.year = 'changed'
          return `${value} ${whole.title}`
        },
      },
      string,
      [...string, { name: 'label', type: 'string' }],
    )
    expect(fields).toEqual({ year: '1984', label: 'undefined One' })
    expect(given[0]?._legacy).toBeUndefined()
  })

  it('takes a value from _legacy when its field has none', () => {
    const { fields, _legacy } = transform(minion({}, { year: '1984', other: 1 }), { year: Number }, [])
    expect([fields, _legacy]).toEqual([{ year: 1984 }, { other: 1 }])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('not a year')
      },
      'not a year',
    ],
    [
      'throws something that is not an error',
      () => {
        throw 'x'.repeat(500)
      },
      'x'.repeat(100),
    ],
    ['gives a value of another type', (value: unknown) => value, 'returned a value that is invalid'],
    ['gives what JSON cannot hold', () => Number.NaN, 'returned a value that is invalid'],
    [
      'is asynchronous',
      async () => {
        throw new Error('late')
      },
      'asynchronous',
    ],
  ])('that %s sets the value aside and is reported', (_, year, message) => {
    const { fields, _legacy, report } = transform(minion({ year: 'MCM' }), { year })
    expect([fields, _legacy]).toEqual([{ year: 1900 }, { year: 'MCM' }])
    expect(report).toMatchObject({ transformed: [], movedToLegacy: ['year'], defaulted: ['year'] })
    expect(report?.transformErrors).toEqual([{ field: 'year', message: expect.stringContaining(message) }])
    expect(report?.transformErrors[0]?.message.length).toBeLessThan(200)
  })

  it('that gives a string no store can hold sets the value aside', () => {
    const { _legacy } = transform(minion({ year: 1 }), { year: () => 'a\u0000b' }, number, string)
    expect(_legacy).toEqual({ year: 1 })
  })

  it('that gives nothing sets the value aside', () => {
    const { fields, _legacy, report } = transform(minion({ year: 'MCM' }), { year: () => undefined })
    expect([fields, _legacy]).toEqual([{ year: 1900 }, { year: 'MCM' }])
    expect(report).toMatchObject({ movedToLegacy: ['year'], transformErrors: [] })
  })

  it('leaves other fields alone', () => {
    const { fields } = transform(minion({ year: '1984', own: 'x' }), { year: Number })
    expect(fields).toEqual({ year: 1984, own: 'x' })
  })
})
