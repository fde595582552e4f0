import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FieldDefinition, type FieldType, validateFields } from '../../src/index.js'
import { isAbsent, toJsonSchema } from '../../src/schemas/index.js'
import { fieldsOf, schemas } from './arbitraries.js'

const ajv = new Ajv2020({ strict: true, ownProperties: true, validateFormats: true, validateSchema: true })
formats.default(ajv)

function compile(schema: readonly FieldDefinition[]) {
  return ajv.compile(toJsonSchema({ schema }))
}

const present = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isAbsent(value)))

describe('toJsonSchema', () => {
  const options = ['red', 'green']
  const text = { type: 'string', not: { pattern: '\\n' }, pattern: expect.any(String) }
  const mapping: Record<FieldType, object> = {
    string: { type: 'string' },
    number: { type: 'number' },
    boolean: { type: 'boolean' },
    date: { ...text, anyOf: [{ format: 'date' }, { format: 'date-time' }] },
    select: { type: 'string', enum: options },
    'multi-select': { type: 'array', items: { enum: options } },
    url: { ...text, format: 'uri', pattern: expect.stringMatching(/^\^https\?:\/\//) },
    email: { ...text, format: 'email' },
    textarea: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    json: {},
    array: { type: 'array' },
  }

  for (const [type, expected] of Object.entries(mapping)) {
    it(`maps ${type}`, () => {
      const { properties } = toJsonSchema({ schema: [{ name: 'field', type: type as FieldType, options }] })
      expect(properties).toEqual({ field: expected })
    })
  }

  it('states draft, required fields, limits and annotations', () => {
    const schema: FieldDefinition[] = [
      { name: 'code', type: 'string', required: true, label: 'Code', validation: { maxLength: 3, pattern: '^x' } },
      { name: 'heat', type: 'number', description: '0 to 2', defaultValue: 1, validation: { min: 0, max: 2 } },
      { name: 'site', type: 'url', validation: { minLength: 9, pattern: 'org' } },
      { name: 'other', type: 'number', defaultValue: 'not a number' },
    ]
    expect(toJsonSchema({ schema })).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        code: { title: 'Code', type: 'string', minLength: 1, maxLength: 3, pattern: '^x' },
        heat: { description: '0 to 2', default: 1, type: 'number', minimum: 0, maximum: 2 },
        site: { ...mapping.url, minLength: 9, allOf: [{ type: 'string', pattern: 'org' }] },
        other: { type: 'number' },
      },
      required: ['code'],
    })
  })

  it('keeps a field called __proto__ as an own property', () => {
    const { properties } = toJsonSchema({ schema: [{ name: '__proto__', type: 'number' }] })
    expect(Object.entries(properties as object)).toEqual([['__proto__', { type: 'number' }]])
  })

  it('accepts nothing where the definition can be satisfied by nothing', () => {
    const unusable: Omit<FieldDefinition, 'name'>[] = [
      { type: 'select' },
      { type: 'multi-select', options: [] },
      { type: 'string', validation: { pattern: '(' } },
      { type: 'other' as never },
    ]
    for (const definition of unusable) {
      const check = compile([{ name: 'field', ...definition }])
      for (const field of ['a', [], 1]) expect(check({ field })).toBe(false)
      expect(check({})).toBe(true)
    }
  })

  it('accepts exactly what validateFields accepts, absent values removed', () => {
    let valid = 0
    fc.assert(
      fc.property(
        schemas.chain((schema) =>
          fc.tuple(fc.constant(schema), fc.array(fieldsOf(schema), { minLength: 8, maxLength: 8 })),
        ),
        ([schema, samples]) => {
          const check = compile(schema)
          for (const fields of samples) {
            const result = validateFields(fields, schema)
            if (result.valid) valid++
            const accepted = check(present(fields))
            if (result.valid) expect([accepted, check.errors]).toEqual([true, null])
            else if (accepted) expect(result.errors.filter((error) => !isBeyondJsonSchema(error))).toEqual([])
          }
        },
      ),
      { numRuns: 150, seed: 7 },
    )
    expect(valid).toBeGreaterThan(200)
  })
})

/** Hosts that no pattern can tell from good ones. */
function isBeyondJsonSchema({ code, value }: { code: string; value: unknown }): boolean {
  return code === 'format' && String(value).startsWith('http') && !URL.canParse(String(value))
}
