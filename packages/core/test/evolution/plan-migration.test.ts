import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { migrateMinion, planMigration } from '../../src/evolution/index.js'
import { FIELD_TYPES, type FieldDefinition, type Minion } from '../../src/index.js'
import { jsonEqual } from '../../src/json/index.js'
import { fits, isAbsent } from '../../src/schemas/index.js'
import { clockAt, deepFreeze, T0, T1 } from '../lifecycle/support.js'

const minion = (id: string, fields: Record<string, unknown>): Minion => ({
  id,
  title: id,
  minionTypeId: 't',
  fields,
  createdAt: T0,
  updatedAt: T0,
})

const untouched = {
  movedToLegacy: [],
  restored: [],
  transformed: [],
  transformErrors: [],
  defaulted: [],
  missingRequired: [],
  keptInvalid: [],
}

describe('planMigration', () => {
  const oldSchema: FieldDefinition[] = deepFreeze([
    { name: 'gone', type: 'string' },
    { name: 'size', type: 'number' },
    { name: 'kind', type: 'select', options: ['a', 'b'] },
    { name: 'same', type: 'string', label: 'Same' },
    { name: 'owner', type: 'string' },
  ])
  const newSchema: FieldDefinition[] = deepFreeze([
    { name: 'size', type: 'string' },
    { name: 'kind', type: 'select', options: ['a'] },
    { name: 'same', type: 'string', label: 'Still the same' },
    { name: 'owner', type: 'string', required: true },
    { name: 'state', type: 'string', required: true, defaultValue: 'new' },
  ])
  const minions = deepFreeze([
    minion('one', { gone: 'x', size: 4, kind: 'b', owner: 'ada' }),
    minion('two', { state: 'old', kind: 'a', extra: 1 }),
    minion('three', { state: 'old', owner: 'eve', same: 'y' }),
  ])

  it('reports per field and per minion, and changes nothing', () => {
    expect(planMigration(minions, oldSchema, newSchema)).toEqual({
      changes: {
        added: ['state'],
        removed: ['gone'],
        retyped: [{ field: 'size', from: 'number', to: 'string' }],
        newlyRequired: ['owner', 'state'],
        revalidated: ['kind'],
      },
      checked: 3,
      minions: [
        {
          ...untouched,
          id: 'one',
          movedToLegacy: ['gone', 'size'],
          defaulted: ['state'],
          keptInvalid: ['kind'],
        },
        { ...untouched, id: 'two', missingRequired: ['owner'] },
      ],
    })
  })

  it('has nothing to report when the schema stays the same', () => {
    expect(planMigration(minions, oldSchema, oldSchema)).toEqual({
      changes: { added: [], removed: [], retyped: [], newlyRequired: [], revalidated: [] },
      checked: 3,
      minions: [],
    })
  })

  it('decision 1.13: lists a required value that is lost to _legacy as missing', () => {
    const plan = planMigration(
      [minion('one', { x: 1 })],
      [{ name: 'x', type: 'number' }],
      [{ name: 'x', type: 'string', required: true }],
    )
    expect(plan.minions).toMatchObject([{ movedToLegacy: ['x'], missingRequired: ['x'] }])
  })

  it('names fields in the order of the schema, whatever the order in the minion', () => {
    const { minions: found } = planMigration([minion('one', { size: 4, gone: 'x' })], oldSchema, newSchema)
    expect(found[0]?.movedToLegacy).toEqual(['gone', 'size'])
  })

  it('takes any iterable', () => {
    function* stream() {
      yield* minions
    }
    expect(planMigration(stream(), oldSchema, newSchema).checked).toBe(3)
  })
})

describe('any migration', () => {
  const names = ['a', 'b', 'c', '__proto__', 'toString']
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom('a', 'b', ['a'], 'x@y.org', 'https://x.org', '2024-01-15', 1, true),
  )
  const fields = fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 })
    .map((entries) => Object.fromEntries(entries.map(([name, member]) => [name, JSON.parse(JSON.stringify(member))])))
  const definition = fc.record({
    name: fc.constantFrom(...names),
    type: fc.constantFrom(...FIELD_TYPES),
    required: fc.boolean(),
    options: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
    defaultValue: fc.option(fc.constantFrom('a', 1, true), { nil: undefined }),
  })
  const schema = fc
    .uniqueArray(definition, { selector: (field) => field.name, maxLength: 5 })
    .map((list): FieldDefinition[] =>
      list.map(({ defaultValue, ...rest }) => (defaultValue === undefined ? rest : { ...rest, defaultValue })),
    )

  it('loses no value: each is in fields or in _legacy, through any number of evolutions', () => {
    fc.assert(
      fc.property(fields, fc.array(schema, { minLength: 2, maxLength: 5 }), (source, schemas) => {
        let current = deepFreeze(minion('one', source))
        for (let index = 1; index < schemas.length; index++) {
          const [from, to] = [schemas[index - 1] ?? [], schemas[index] ?? []]
          const before = valuesOf(current)
          const next = deepFreeze(migrateMinion(current, from, to, { clock: clockAt(T1) }))
          const after = valuesOf(next)
          for (const kept of before) {
            const position = after.findIndex((candidate) => jsonEqual(candidate, kept))
            expect(position, `${JSON.stringify(kept)} was lost`).toBeGreaterThanOrEqual(0)
            after.splice(position, 1)
          }
          current = next
        }
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  it('gives every value back when a type evolves back', () => {
    fc.assert(
      fc.property(fields, schema, fc.array(schema, { minLength: 1, maxLength: 3 }), (source, home, away) => {
        let current = deepFreeze(minion('one', source))
        // A default that was set aside on the way is a newer value than the one that was there at first.
        const between = away.length === 1 ? away : away.map(withoutDefaults)
        const stops = [home, ...between, home]
        for (const [index, to] of stops.slice(1).entries()) {
          const clock = clockAt(index % 2 === 0 ? T0 : T1)
          current = deepFreeze(migrateMinion(current, stops[index] ?? [], to, { clock }))
        }
        for (const field of home) {
          const value = Object.hasOwn(source, field.name) ? source[field.name] : undefined
          if (!isAbsent(value) && fits(value, field)) expect(current.fields[field.name]).toEqual(value)
        }
      }),
      { numRuns: 300, seed: 3 },
    )
  })

  it('does what the plan says', () => {
    fc.assert(
      fc.property(fields, schema, schema, (source, from, to) => {
        const subject = deepFreeze(minion('one', source))
        const after = migrateMinion(subject, from, to, { clock: clockAt(T1) })
        const [plan] = planMigration([subject], from, to).minions
        expect(new Set(plan?.movedToLegacy)).toEqual(new Set(Object.keys(after._legacy ?? {})))
        const isVacant = (name: string) =>
          !Object.hasOwn(after.fields, name) || ['', null].includes(after.fields[name] as never)
        expect(plan?.missingRequired ?? []).toEqual(
          to.filter((field) => field.required && isVacant(field.name)).map(({ name }) => name),
        )
        for (const name of plan?.defaulted ?? []) {
          expect(after.fields[name]).toEqual(to.find((field) => field.name === name)?.defaultValue)
        }
      }),
      { numRuns: 300, seed: 2 },
    )
  })

  function withoutDefaults(definitions: readonly FieldDefinition[]): FieldDefinition[] {
    return definitions.map(({ defaultValue: _, ...rest }) => rest)
  }

  /** All present values of a minion; absent ones (null and '') may give way to a default. */
  function valuesOf({ fields: current, _legacy }: Minion): unknown[] {
    return [...Object.values(current), ...Object.values(_legacy ?? {})].filter(
      (member) => member !== null && member !== '',
    )
  }
})
