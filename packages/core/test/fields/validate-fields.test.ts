import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type FieldDefinition, validateFields } from '../../src/index.js'
import { compileType, fits, isAbsent } from '../../src/schemas/index.js'
import { fieldsOf, schemas } from './arbitraries.js'
import { fieldCodesInModel } from './fields-model.js'

const agent: readonly FieldDefinition[] = [
  { name: 'role', type: 'string' },
  { name: 'model', type: 'string', required: true },
  { name: 'systemPrompt', type: 'textarea' },
  { name: 'temperature', type: 'number', validation: { min: 0, max: 2 } },
  { name: 'maxTokens', type: 'number' },
  { name: 'tools', type: 'tags' },
]
const good = { role: 'researcher', model: 'gpt-4', temperature: 0.7, maxTokens: 4096, tools: ['search', ''] }

const codes = (fields: unknown, schema: readonly FieldDefinition[], options?: { strict?: boolean }) =>
  validateFields(fields, schema, options).errors.map((error) => `${error.field}:${error.code}`)

describe('validateFields', () => {
  it('accepts valid fields and leaves them alone', () => {
    const fields = Object.freeze({ ...good, unknown: Number.NaN })
    expect(validateFields(fields, agent)).toEqual({ valid: true, errors: [] })
  })

  it('reports all problems of all fields in the order of the schema', () => {
    const fields = { tools: 'search', temperature: 3, role: 5, maxTokens: Number.NaN }
    expect(codes(fields, agent)).toEqual([
      'role:type',
      'model:required',
      'temperature:max',
      'maxTokens:type',
      'tools:type',
    ])
    expect(validateFields(fields, agent).valid).toBe(false)
  })

  it('gives field, code, message and value of each', () => {
    expect(validateFields({ ...good, temperature: 3 }, agent).errors).toEqual([
      { field: 'temperature', code: 'max', message: 'Field "temperature" must be at most 2.', value: 3 },
    ])
  })

  it('reports unknown keys only in strict mode', () => {
    const fields = { ...good, temprature: 1, toString: 1 }
    expect(codes(fields, agent)).toEqual([])
    expect(codes(fields, agent, { strict: true })).toEqual(['temprature:unknown_field', 'toString:unknown_field'])
    expect(codes({ temprature: 1 }, agent, { strict: true })).toEqual(['model:required', 'temprature:unknown_field'])
  })

  it('answers fields that are no object with an error', () => {
    for (const fields of [undefined, null, 5, 'text', [], true, () => 1]) {
      expect(validateFields(fields, agent)).toMatchObject({
        valid: false,
        errors: [{ field: '', code: 'type', value: fields }],
      })
    }
  })

  it('answers fields that throw when read with an error', () => {
    const trap = {
      get role() {
        throw new Error('trap')
      },
    }
    expect(codes(trap, agent)).toEqual([':type'])
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    for (let use = 0; use < 120; use++) {
      expect(codes(proxy, agent)).toEqual([':type'])
      expect(codes({ model: 'm', tools: proxy }, agent)).toEqual(['tools:json'])
    }
  })

  it('does not share results', () => {
    const first = validateFields(good, agent)
    first.errors.push({ field: 'role', code: 'type', message: 'mine', value: 1 })
    expect(validateFields(good, agent)).toEqual({ valid: true, errors: [] })
  })
})

describe('only own properties count', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
  const optional = names.map((name): FieldDefinition => ({ name, type: 'string' }))
  const required = names.map((name): FieldDefinition => ({ name, type: 'json', required: true }))
  const own = JSON.parse(`{${names.map((name) => `"${name}":"x"`).join()}}`)

  it('for fields named like properties of every object', () => {
    for (let use = 0; use < 120; use++) {
      expect(codes({}, optional)).toEqual([])
      expect(codes({}, required)).toEqual(names.map((name) => `${name}:required`))
      expect(codes(own, optional)).toEqual([])
      expect(codes(own, required)).toEqual([])
      expect(codes(own, optional, { strict: true })).toEqual([])
      expect(codes(JSON.parse('{"__proto__":5}'), optional)).toEqual(['__proto__:type'])
    }
  })

  it('for inherited values', () => {
    for (let use = 0; use < 120; use++) {
      expect(codes(Object.create(good), agent)).toEqual(['model:required'])
      expect(codes(Object.create({ role: 5 }, { model: { value: 'm' } }), agent)).toEqual([])
    }
  })
})

describe('compileType', () => {
  it('is done once per schema', () => {
    expect(compileType({ schema: agent })).toBe(compileType({ schema: agent }))
    expect(compileType({ schema: [...agent] })).not.toBe(compileType({ schema: agent }))
  })

  it('notices a field that was added', () => {
    const schema: FieldDefinition[] = [{ name: 'a', type: 'string' }]
    expect(codes({}, schema)).toEqual([])
    schema.push({ name: 'b', type: 'string', required: true })
    expect(codes({}, schema)).toEqual(['b:required'])
  })
})

describe('the generated check', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('changes no answer', () => {
    const samples = [
      good,
      {},
      { model: 'm' },
      { ...good, role: 'a\0' },
      { ...good, tools: ['\ud800'] },
      { ...good, role: '' },
    ]
    samples.push(
      { ...good, temperature: Number.NaN },
      { ...good, maxTokens: Number.POSITIVE_INFINITY },
      { ...good, model: '' },
    )
    const first = samples.map((fields) => validateFields(fields, agent))
    for (let use = 0; use < 100; use++) validateFields(good, agent)
    expect(samples.map((fields) => validateFields(fields, agent))).toEqual(first)
    expect(first.filter(({ valid }) => valid)).toHaveLength(3)
  })

  it('finds the same errors as a plain reading of the definitions, and none more or less after many uses', () => {
    const verdicts = { valid: 0, invalid: 0 }
    fc.assert(
      fc.property(
        schemas.chain((schema) => fc.tuple(fc.constant(schema), fc.array(fieldsOf(schema), { minLength: 20 }))),
        ([schema, list]) => {
          // By rules at first, and by generated code once the schema has been used often.
          for (const fields of [...list, ...list, ...list, ...list]) {
            const expected = fieldCodesInModel(fields, schema)
            expect(codes(fields, schema)).toEqual(expected)
            verdicts[expected.length === 0 ? 'valid' : 'invalid']++
          }
        },
      ),
      { numRuns: 100, seed: 1 },
    )
    expect(Math.min(verdicts.valid, verdicts.invalid)).toBeGreaterThan(1000)
  })

  it('keeps nothing of a value between calls', () => {
    const text = () => ({ model: 'm', role: 'x'.repeat(100), tools: ['a', 'b'] })
    for (let use = 0; use < 120; use++) {
      expect(codes(text(), agent)).toEqual([])
      expect(codes({ ...text(), role: `${'x'.repeat(100)}\0` }, agent)).toEqual(['role:characters'])
    }
  })

  it('is done without where a policy forbids generated code', () => {
    vi.stubGlobal('Function', () => {
      throw new EvalError('refused by policy')
    })
    const schema = [...agent]
    for (let use = 0; use < 120; use++) {
      expect(codes(good, schema)).toEqual([])
      expect(codes({ ...good, temperature: 3 }, schema)).toEqual(['temperature:max'])
    }
  })

  it('is not misled by names and limits that look like code', () => {
    const schema: FieldDefinition[] = [
      { name: '"]; throw 1; ["', type: 'string', required: true },
      { name: '\u2028`$\\', type: 'number', validation: { min: '0 || true' as never } },
      { name: '\ud800', type: 'boolean' },
    ]
    for (let use = 0; use < 120; use++) {
      expect(codes({ '"]; throw 1; ["': 'x', '\u2028`$\\': 1, '\ud800': true }, schema)).toEqual([])
      expect(codes({ '\u2028`$\\': '1' }, schema)).toEqual(['"]; throw 1; [":required', '\u2028`$\\:type'])
    }
  })
})

describe('fits and isAbsent', () => {
  it('fits judges type and options, not limits', () => {
    expect(fits('abc', { name: 'f', type: 'string', validation: { maxLength: 1 } })).toBe(true)
    expect(fits(4096, { name: 'f', type: 'string' })).toBe(false)
    expect(fits('text', { name: 'f', type: 'email' })).toBe(false)
    expect(fits('red', { name: 'f', type: 'select', options: ['green'] })).toBe(false)
    expect(fits(null, { name: 'f', type: 'number', required: true })).toBe(true)
  })

  it('isAbsent knows undefined, null and the empty string only', () => {
    expect([undefined, null, ''].every(isAbsent)).toBe(true)
    expect([0, false, [], {}, ' ', Number.NaN].some(isAbsent)).toBe(false)
  })
})
