import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { FIELD_TYPES, type MinionType, updateMinion } from '../../src/index.js'
import { MinionSchema, MinionTypeSchema, typeProblems } from '../../src/schemas/index.js'
import { agentType, builtinTypes, minionToType, minionTypeType, noteType, typeToMinion } from '../../src/types/index.js'

const clock = () => '2024-01-15T10:00:00.000Z'
const text = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((value) => !value.includes('\0'))
const name = text.filter((value) => value !== '')
const names = fc.array(text, { maxLength: 3 })
const slug = fc.stringMatching(/^[a-z0-9]{1,5}(-[a-z0-9]{1,5}){0,2}$/)
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const date = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
  .map((value) => value.toISOString())

const field = fc.record(
  {
    name,
    type: fc.constantFrom(...FIELD_TYPES.filter((type) => !type.includes('select'))),
    label: text,
    required: fc.boolean(),
  },
  { requiredKeys: ['name', 'type'] },
)

const anyType = fc.record(
  {
    id: slug.map((value) => `type/${value}`),
    name,
    slug,
    schema: fc.uniqueArray(field, { maxLength: 4, selector: (definition) => definition.name }),
    description: text,
    icon: text,
    color: text,
    isSystem: fc.boolean(),
    isOrganizational: fc.boolean(),
    allowedChildTypes: names,
    behaviors: names,
    defaultView: text,
    availableViews: names,
    createdAt: date,
    updatedAt: date,
    somethingElse: optional(fc.jsonValue({ maxDepth: 2 })).map((value) =>
      JSON.parse(
        JSON.stringify(value ?? 1)
          .replaceAll('\\u0000', '')
          .replaceAll('-0', '0'),
      ),
    ),
  },
  { requiredKeys: ['id', 'name', 'slug', 'schema'] },
)

describe('decision 1.25: a type as a minion', () => {
  it('is a minion of the type minion-type', () => {
    const minion = typeToMinion(noteType, { clock, by: 'ada' })
    expect(minion).toMatchObject({
      id: 'builtin-note',
      title: 'Note',
      minionTypeId: 'builtin-minion-type',
      fields: { slug: 'note', isSystem: true, schema: noteType.schema },
      createdBy: 'ada',
    })
    expect(Compile(MinionSchema).Check(minion)).toBe(true)
    expect(updateMinion(minion, {}, minionTypeType).validation).toEqual({ valid: true, errors: [] })
  })

  it('describes itself', () => {
    expect(minionToType(typeToMinion(minionTypeType))).toEqual(minionTypeType)
  })

  it('comes back exactly, for every built-in type', () => {
    for (const type of builtinTypes) expect(minionToType(typeToMinion(type))).toStrictEqual(type)
  })

  it('comes back exactly, for any type', () => {
    fc.assert(
      fc.property(anyType, (type) => {
        fc.pre(typeProblems(type).length === 0)
        expect(Compile(MinionTypeSchema).Check(type)).toBe(true)
        expect(minionToType(typeToMinion(type as MinionType))).toStrictEqual(JSON.parse(JSON.stringify(type)))
      }),
      { numRuns: 100, seed: 1 },
    )
  })

  it('refuses what is not a type', () => {
    const invalid = expect.objectContaining({ code: 'INVALID_TYPE' })
    expect(() => typeToMinion({ ...agentType, slug: 'No' } as never)).toThrow(invalid)
    const minion = typeToMinion(agentType)
    expect(() => minionToType({ ...minion, minionTypeId: 'builtin-note' })).toThrow(invalid)
    expect(() => minionToType({ ...minion, fields: { ...minion.fields, schema: [{ name: 'x' }] } })).toThrow(invalid)
  })
})
