import { describe, expect, it } from 'vitest'
import { defineSkill, type Skill, skillRecord, validateSkill } from '../../src/index.js'
import { navigate } from '../examples.js'

const minimal = { name: 'abc', version: '1.0.0', parameters_schema: { type: 'object' } }

const passing: [string, unknown][] = [
  ['name', 'abc'],
  ['name', 'a'.repeat(50)],
  ['name', 'Navigate-2'],
  ['name', 'constructor'],
  ['version', '0.0.0'],
  ['version', '10.20.30'],
  ['description', ''],
  ['description', 'x'.repeat(500)],
  ['description', '😀'.repeat(500)],
  ['description', null],
  ['parameters_schema', {}],
  ['returns_schema', { type: 'object' }],
  ['returns_schema', undefined],
  ['timeout', 1],
  ['timeout', 3600],
  ['timeout', null],
  ['max_retries', 0],
  ['max_retries', 5],
  ['dependencies', []],
  ['dependencies', ['detect', 'grasp']],
  ['tags', Array.from({ length: 10 }, (_, index) => `tag-${index}`)],
  ['tags', ['x'.repeat(30)]],
  ['created_at', '2025-12-19T10:00:00Z'],
  ['created_at', '2025-12-19T10:00:00.123+02:00'],
  ['updated_at', '2024-02-29T23:59:59Z'],
  ['execute', () => ({})],
  ['isolation', 'inline'],
  ['author', 'somebody'],
]

const failing: [string, unknown][] = [
  ['name', undefined],
  ['name', null],
  ['name', ''],
  ['name', 'ab'],
  ['name', 'a'.repeat(51)],
  ['name', 'with space'],
  ['name', 'under_score'],
  ['name', '__proto__'],
  ['name', 'abc\n'],
  ['name', 7],
  ['version', undefined],
  ['version', '1.0'],
  ['version', 'v1.0.0'],
  ['version', '1.0.0-beta'],
  ['version', '01.0.0'],
  ['version', '1.0.99999999999999999999'],
  ['version', 1],
  ['description', 'x'.repeat(501)],
  ['description', 5],
  ['description', 'lone \ud800'],
  ['parameters_schema', undefined],
  ['parameters_schema', null],
  ['parameters_schema', 'object'],
  ['parameters_schema', []],
  ['parameters_schema', true],
  ['parameters_schema', { type: 'objekt' }],
  ['parameters_schema', { type: 'object', required: 'location' }],
  ['parameters_schema', { $schema: 'http://json-schema.org/draft-04/schema#' }],
  ['returns_schema', { properties: [] }],
  ['returns_schema', 'nothing'],
  ['timeout', 0],
  ['timeout', 3601],
  ['timeout', 1.5],
  ['timeout', '60'],
  ['timeout', Number.NaN],
  ['max_retries', -1],
  ['max_retries', 6],
  ['max_retries', 0.5],
  ['dependencies', 'detect'],
  ['dependencies', ['no']],
  ['dependencies', [1]],
  ['tags', Array.from({ length: 11 }, (_, index) => `tag-${index}`)],
  ['tags', ['x'.repeat(31)]],
  ['tags', [1]],
  ['created_at', 'yesterday'],
  ['created_at', '2025-02-30T10:00:00Z'],
  ['updated_at', '2025-12-19'],
  ['updated_at', 1766138400000],
  ['execute', 'run()'],
  ['isolation', 'thread'],
  ['module', 5],
  ['steps', [{ skill: 'detect' }]],
  ['author', () => 1],
]

describe('validateSkill', () => {
  it('accepts the example of the specification, with and without code', () => {
    expect(validateSkill(navigate)).toEqual({ valid: true, errors: [] })
    expect(validateSkill({ ...navigate, execute: async () => ({}) }).valid).toBe(true)
  })

  it.each(passing)('accepts %s = %o', (attribute, value) => {
    expect(validateSkill({ ...minimal, [attribute]: value })).toEqual({ valid: true, errors: [] })
  })

  it.each(failing)('refuses %s = %o and names it', (attribute, value) => {
    const { valid, errors } = validateSkill({ ...minimal, [attribute]: value })
    expect(valid).toBe(false)
    expect(new Set(errors.map(({ pointer }) => pointer.split('/')[1]))).toEqual(new Set([attribute]))
    expect(errors[0]?.message).toMatch(/^[a-z].*[^.]$/)
  })

  it('refuses what is no object, and says everything at once', () => {
    for (const value of [undefined, null, 'skill', 5, []]) expect(validateSkill(value).valid).toBe(false)
    const pointers = validateSkill({ name: 'x', version: '1', timeout: 0 }).errors.map(({ pointer }) => pointer)
    expect(new Set(pointers)).toEqual(new Set(['/name', '/version', '/timeout', '/parameters_schema']))
  })

  it('looks at own properties only and leaves its argument alone', () => {
    expect(validateSkill(Object.create(minimal)).valid).toBe(false)
    const frozen = Object.freeze({
      ...minimal,
      parameters_schema: Object.freeze({ properties: { a: { default: 1 } } }),
    })
    expect(validateSkill(frozen).valid).toBe(true)
  })

  it('takes a worker skill by its module, and never a closure', () => {
    const module = new URL('file:///skills/navigate.js')
    expect(validateSkill({ ...minimal, isolation: 'worker', module }).valid).toBe(true)
    expect(validateSkill({ ...minimal, isolation: 'worker', execute: () => ({}) }).errors[0]?.code).toBe('CLOSURE')
    expect(validateSkill({ ...minimal, isolation: 'worker' }).errors[0]?.pointer).toBe('/module')
  })
})

describe('defineSkill', () => {
  it('fills in defaults and freezes a copy', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const skill = defineSkill({ ...minimal, parameters_schema: schema, execute: () => ({}) })
    expect(skill).toMatchObject({ timeout: 30, max_retries: 0, dependencies: [], tags: [] })
    expect(Object.isFrozen(skill) && Object.isFrozen(skill.parameters_schema)).toBe(true)
    schema.properties.a.type = 'number'
    expect(skill.parameters_schema).toEqual({ type: 'object', properties: { a: { type: 'string' } } })
  })

  it('throws with every broken rule', () => {
    expect(() => defineSkill({ ...minimal, timeout: 0, tags: ['x'.repeat(31)], execute: () => ({}) })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: {
          errors: [expect.objectContaining({ pointer: '/timeout' }), expect.objectContaining({ pointer: '/tags/0' })],
        },
      }),
    )
    expect(() => defineSkill(minimal)).toThrow(/execute/)
    expect(() => defineSkill({ ...minimal, isolation: 'worker', execute: () => ({}) })).toThrow(/worker/)
  })

  it('keeps code out of the record', () => {
    const skill: Skill = { ...minimal, execute: () => ({}), isolation: 'inline' }
    expect(skillRecord(skill)).toEqual(minimal)
  })
})
