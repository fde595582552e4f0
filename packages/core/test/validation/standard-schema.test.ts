import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { compileSchema, type StandardSchema, schemaIssues } from '../../src/schemas/index.js'

const libraries: [string, object][] = [
  [
    'zod',
    z.object({
      location: z.string().min(1),
      speed: z.number().min(0).default(1),
      stops: z.array(z.object({ minutes: z.int() })).optional(),
    }),
  ],
  [
    'valibot',
    toStandardJsonSchema(
      v.object({
        location: v.pipe(v.string(), v.minLength(1)),
        speed: v.optional(v.pipe(v.number(), v.minValue(0)), 1),
        stops: v.optional(v.array(v.object({ minutes: v.pipe(v.number(), v.integer()) }))),
      }),
    ),
  ],
  [
    'arktype',
    type({ location: 'string > 0', speed: 'number >= 0 = 1', 'stops?': type({ minutes: 'number.integer' }).array() }),
  ],
]

describe.each(libraries)('a schema of %s', (_, schema) => {
  it('checks values and names every one that does not fit', () => {
    const { check, issues } = compileSchema(schema)
    expect(check({ location: 'kitchen', speed: 2 })).toBe(true)
    expect(check({ location: 'kitchen', speed: -2 })).toBe(false)
    expect(issues({ location: 'kitchen', speed: 2 })).toEqual([])
    expect(issues({ speed: 'x', stops: [{ minutes: 1.5 }] })).toEqual(
      ['/location', '/speed', '/stops/0/minutes'].map((pointer) => ({
        pointer,
        code: 'standard',
        message: expect.stringMatching(/^is not valid: ./),
      })),
    )
  })

  it('fills in defaults on a copy, and leaves what is not valid as it is', () => {
    const { complete } = compileSchema(schema)
    const input = Object.freeze({ location: 'kitchen' })
    expect(complete(input)).toEqual({ location: 'kitchen', speed: 1 })
    expect(complete({ speed: 'x' })).toEqual({ speed: 'x' })
    expect(input).toEqual({ location: 'kitchen' })
  })

  it('has a JSON Schema that agrees with it, and from which it is found again', () => {
    const compiled = compileSchema(schema)
    expect(compiled.schema).toMatchObject({ type: 'object', required: ['location'] })
    const fromJson = compileSchema(structuredClone(compiled.schema))
    for (const value of [{ location: 'a' }, { location: '' }, { location: 'a', stops: [{ minutes: 'x' }] }, 5]) {
      expect(fromJson.check(value)).toBe(compiled.check(value))
    }
    expect(compileSchema(compiled.schema)).toBe(compiled)
    expect(compileSchema(schema)).toBe(compiled)
    expect(schemaIssues(schema)).toEqual([])
  })
})

describe('Standard Schema', () => {
  it('can do without a JSON Schema until that is needed', () => {
    const bare = v.object({ a: v.string() })
    const compiled = compileSchema(bare)
    expect(compiled.check({ a: 'x' })).toBe(true)
    expect(() => compiled.schema).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }))
    expect(schemaIssues(bare)).toMatchObject([{ code: 'UNUSABLE', message: expect.stringContaining('to-json-schema') }])
    expect(schemaIssues(z.object({ when: z.date() }))).toMatchObject([{ code: 'UNUSABLE' }])
  })

  it('leaves patterns and formats to the library that could not be checked as JSON Schema', () => {
    const { schema, check } = compileSchema(z.object({ word: z.string().regex(/^(?!no)/), key: z.cuid2() }))
    expect(schema.properties).toEqual({ word: { type: 'string' }, key: expect.objectContaining({ type: 'string' }) })
    expect(check({ word: 'no way', key: 'tz4a98xxat96iws9zmbrgj3a' })).toBe(false)
    expect(check({ word: 'yes', key: 'tz4a98xxat96iws9zmbrgj3a' })).toBe(true)
  })

  it('refuses what checks asynchronously', () => {
    const compiled = compileSchema(z.string().refine(async () => true))
    for (const use of [compiled.check, compiled.issues, compiled.complete]) {
      expect(() => use('a')).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }))
    }
  })

  it('refuses results that JSON cannot carry, and schemas and values that cannot be read', () => {
    const dates = compileSchema(z.string().transform((text) => new Date(text)))
    expect(() => dates.complete('2024-01-15')).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(compileSchema(type({ a: 'string' })).issues(proxy)).toHaveLength(1)
    expect(schemaIssues(proxy)).toMatchObject([{ code: 'JSON' }])
  })

  it.each([
    ['typebox', Type.Object({ a: Type.Number({ default: 1 }), b: Type.Optional(Type.Array(Type.String())) })],
    ['zod', z.object({ a: z.number().default(1), b: z.array(z.string()).optional() })],
  ])('is what a compiled schema of %s is itself', async (_, schema) => {
    const standard: StandardSchema = compileSchema(schema)
    const { version, vendor, validate, jsonSchema } = standard['~standard']
    expect([version, vendor]).toEqual([1, 'minions'])
    expect(await validate({})).toEqual({ value: { a: 1 } })
    expect(await validate({ a: 'x', b: [5] })).toMatchObject({
      issues: [
        { path: ['a'], message: expect.stringMatching(/^\/a ./) },
        { path: ['b', '0'], pointer: '/b/0' },
      ],
    })
    expect(await validate({ a: Number.NaN })).toMatchObject({ issues: [{ message: expect.any(String) }] })
    expect(jsonSchema?.input({ target: 'draft-2020-12' })).toMatchObject({ type: 'object' })
    expect(compileSchema(standard)['~standard'].vendor).toBe('minions')
    expect(z.object({ a: z.number() }).safeParse(((await validate({})) as { value: unknown }).value).success).toBe(true)
  })
})
