import { describe, expect, it } from 'vitest'
import { FIELD_TYPES, type FieldDefinition } from '../../src/index.js'
import { definitionProblems } from '../../src/schemas/index.js'
import { builtinTypes } from '../../src/types/index.js'

const pointers = (...schema: unknown[]) =>
  definitionProblems(schema as FieldDefinition[]).map((problem) => problem.pointer)

describe('definitionProblems', () => {
  it('finds nothing wrong with sound definitions', () => {
    const sound = FIELD_TYPES.map((type) => ({ name: type, type, options: ['a'], label: 'L', required: false }))
    expect(definitionProblems(sound)).toEqual([])
    expect(
      definitionProblems([
        { name: '__proto__', type: 'string' },
        { name: 'constructor', type: 'json' },
      ]),
    ).toEqual([])
    for (const type of builtinTypes) expect(definitionProblems(type.schema)).toEqual([])
  })

  it('says where and what', () => {
    expect(definitionProblems([{ name: 'a', type: 'string', validation: { pattern: '(?=x)' } }])).toEqual([
      {
        pointer: '/0/validation/pattern',
        code: 'pattern',
        message: 'uses look-around, which cannot be matched in linear time',
      },
    ])
  })

  it('finds each kind of problem', () => {
    expect(pointers({ name: 'a', type: 'string' }, { name: 'a', type: 'number' })).toEqual(['/1/name'])
    expect(pointers({ name: '', type: 'string' })).toEqual(['/0/name'])
    expect(pointers({ type: 'string' })).toEqual(['/0/name'])
    expect(pointers({ name: 'a\0', type: 'string' })).toEqual(['/0/name'])
    expect(pointers({ name: 'a', type: 'text' })).toEqual(['/0/type'])
    expect(pointers({ name: 'a', type: 'select' })).toEqual(['/0/options'])
    expect(pointers({ name: 'a', type: 'multi-select', options: [] })).toEqual(['/0/options'])
    expect(pointers({ name: 'a', type: 'select', options: ['x', 5] })).toEqual(['/0/options/1'])
    expect(pointers({ name: 'a', type: 'select', options: ['x\0'] })).toEqual(['/0/options'])
    expect(pointers({ name: 'a', type: 'select', options: ['x', 'x'] })).toEqual(['/0/options'])
    expect(pointers({ name: 'a', type: 'string', required: 'yes' })).toEqual(['/0/required'])
    expect(pointers({ name: 'a', type: 'string', label: 5, description: [] })).toEqual(['/0/label', '/0/description'])
    expect(pointers({ name: 'a', type: 'string', validation: [] })).toEqual(['/0/validation'])
    expect(pointers({ name: 'a', type: 'string', validation: { minLength: 1.5, maxLength: -1 } })).toEqual([
      '/0/validation/minLength',
      '/0/validation/maxLength',
    ])
    expect(pointers({ name: 'a', type: 'string', validation: { minLength: 2, maxLength: 1 } })).toEqual([
      '/0/validation',
    ])
    expect(pointers({ name: 'a', type: 'number', validation: { min: Number.NaN } })).toEqual(['/0/validation/min'])
    expect(pointers({ name: 'a', type: 'number', validation: { min: 2, max: 1 } })).toEqual(['/0/validation'])
    expect(pointers({ name: 'a', type: 'string', validation: { pattern: 5 } })).toEqual(['/0/validation/pattern'])
    expect(pointers({ name: 'a', type: 'number', defaultValue: '5' })).toEqual(['/0/defaultValue'])
    expect(pointers({ name: 'a', type: 'number', defaultValue: 5, validation: { max: 4 } })).toEqual([
      '/0/defaultValue',
    ])
  })

  it('an absent default is no default', () => {
    expect(pointers({ name: 'a', type: 'number', defaultValue: null, required: true })).toEqual([])
  })

  it('bears any input', () => {
    expect(definitionProblems(undefined as never)).toHaveLength(1)
    expect(definitionProblems({} as never)).toHaveLength(1)
    expect(pointers(null, 5, [], 'x')).toEqual(['/0', '/1', '/2', '/3'])
  })
})
