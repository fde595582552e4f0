import { Type as Sinclair } from '@sinclair/typebox'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { type CompiledSchema, compileSchema, type SchemaInput, type StandardSchema } from '../../src/schemas/index.js'

interface Place {
  location: string
  speed: number
}

test('the type of the values follows from the schema', () => {
  const typebox = compileSchema(Type.Object({ location: Type.String(), speed: Type.Number() }))
  expectTypeOf(typebox).toEqualTypeOf<CompiledSchema<{ location: string; speed: number }>>()
  const sinclair = compileSchema(Sinclair.Object({ location: Sinclair.String(), speed: Sinclair.Number() }))
  expectTypeOf(sinclair).toEqualTypeOf<CompiledSchema<{ location: string; speed: number }>>()
  expectTypeOf(compileSchema({ type: 'string' })).toEqualTypeOf<CompiledSchema<unknown>>()
})

test('the output of a Standard Schema is what fits, and its input what may be given', () => {
  const zod = z.object({ location: z.string(), speed: z.number().default(1) })
  expectTypeOf(compileSchema(zod)).toEqualTypeOf<CompiledSchema<{ location: string; speed: number }>>()
  expectTypeOf<SchemaInput<typeof zod>>().toEqualTypeOf<{ location: string; speed?: number | undefined }>()
  const valibot = v.object({ location: v.string(), speed: v.optional(v.number(), 1) })
  expectTypeOf(compileSchema(valibot)).toEqualTypeOf<CompiledSchema<{ location: string; speed: number }>>()
  const arktype = type({ location: 'string', speed: 'number = 1' })
  expectTypeOf(compileSchema(arktype)).toEqualTypeOf<CompiledSchema<{ location: string; speed: number }>>()
})

test('a checked value has the type', () => {
  const { check } = compileSchema(Type.Object({ location: Type.String(), speed: Type.Number() }))
  const value: unknown = {}
  if (check(value)) expectTypeOf(value).toExtend<Place>()
})

test('a compiled schema is a Standard Schema', () => {
  const compiled = compileSchema(Type.Object({ location: Type.String() }))
  expectTypeOf(compiled).toExtend<StandardSchema<unknown, { location: string }>>()
  expectTypeOf(compileSchema(compiled)).toEqualTypeOf<CompiledSchema<{ location: string }>>()
})
