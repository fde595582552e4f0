import type { JsonObject } from '@minions/core/json'
import { Type as Sinclair } from '@sinclair/typebox'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { composeSkill, defineSkill, SkillRegistry, validateSkill } from '../../src/index.js'
import type { Backend } from '../support/locations.js'
import { coded, setUp } from '../support/runtime.js'

const inMemory: Backend = { name: 'memory', location: () => undefined }

const kinds: [string, object][] = [
  ['typebox 1.x', Type.Object({ location: Type.String({ minLength: 1 }), speed: Type.Number({ default: 1 }) })],
  [
    '@sinclair/typebox',
    Sinclair.Object({ location: Sinclair.String({ minLength: 1 }), speed: Sinclair.Number({ default: 1 }) }),
  ],
  [
    'draft-07',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      required: ['location'],
      properties: { location: { type: 'string', minLength: 1 }, speed: { type: 'number', default: 1 } },
    },
  ],
  ['zod', z.object({ location: z.string().min(1), speed: z.number().default(1) })],
  [
    'valibot',
    toStandardJsonSchema(v.object({ location: v.pipe(v.string(), v.minLength(1)), speed: v.optional(v.number(), 1) })),
  ],
  ['arktype', type({ location: 'string > 0', speed: 'number = 1' })],
]

describe.each(kinds)('a skill whose schemas come from %s', (_, schema) => {
  const skill = defineSkill({
    name: 'navigate',
    version: '1.0.0',
    parameters_schema: schema,
    returns_schema: schema,
    execute: (params) => ({ ...params, ...(params.location === 'far' && { speed: 'fast' }) }),
  })

  it('is registered with the schema as JSON', () => {
    const registered = new SkillRegistry().registerSkill(skill)
    expect(registered.parameters_schema).toMatchObject({
      type: 'object',
      properties: { location: { type: 'string', minLength: 1 }, speed: { type: 'number' } },
    })
    expect(JSON.parse(JSON.stringify(registered.parameters_schema))).toEqual(registered.parameters_schema)
  })

  it('runs on complete and valid parameters, and its result is checked', async () => {
    const { manager } = await setUp(inMemory, [skill])
    const run = async (params: object) => manager.run((await manager.spawn()).agent_id, 'navigate', params)
    expect(await run({ location: 'kitchen' })).toEqual({ location: 'kitchen', speed: 1 })
    const refused = coded('VALIDATION_FAILED')
    await expect(run({ speed: 2 })).rejects.toMatchObject(refused)
    await expect(run({ location: '', speed: 2 })).rejects.toMatchObject({
      ...refused,
      details: {
        errors: [{ pointer: '/location', message: expect.stringMatching(/^[a-z]/) }],
      },
    })
    await expect(run({ location: 'far' })).rejects.toMatchObject(coded('SKILL_FAILED'))
  })
})

const stepResults: [string, object][] = [
  ['typebox 1.x', Type.Object({ move: Type.Object({ speed: Type.Number() }) })],
  ['zod', z.object({ move: z.looseObject({ speed: z.number() }) })],
  ['valibot', toStandardJsonSchema(v.object({ move: v.looseObject({ speed: v.number() }) }))],
  ['arktype', type({ move: { speed: 'number' } })],
]

it.each(stepResults)('a composed skill takes its schemas from %s', async (kind, returns_schema) => {
  const move = defineSkill({
    name: 'move',
    version: '1.0.0',
    parameters_schema: { type: 'object' },
    execute: (params) => ({ ...params, ...(params.location === 'far' && { speed: 'fast' }) }),
  })
  const navigate = composeSkill({
    name: 'navigate',
    parameters_schema: new Map(kinds).get(kind) as object,
    returns_schema,
    steps: [{ skill: 'move', input: ({ params }) => params as JsonObject }],
  })
  const { manager } = await setUp(inMemory, [move, navigate])
  const run = async (params: object) => manager.run((await manager.spawn()).agent_id, 'navigate', params)
  expect(await run({ location: 'kitchen' })).toEqual({ move: { location: 'kitchen', speed: 1 } })
  await expect(run({ speed: 2 })).rejects.toMatchObject(coded('VALIDATION_FAILED'))
  await expect(run({ location: 'far' })).rejects.toMatchObject(coded('SKILL_FAILED'))
})

describe('schemas of skills', () => {
  it('are refused where there is no JSON Schema to publish, with a reason', () => {
    const skill = { name: 'abc', version: '1.0.0', parameters_schema: {} }
    for (const returns_schema of [v.object({}), z.object({ when: z.date() }), { type: 'money' }, { $ref: '#' }]) {
      expect(validateSkill({ ...skill, returns_schema }).errors).toEqual([
        expect.objectContaining({
          pointer: expect.stringMatching(/^\/returns_schema/),
          code: expect.stringMatching(/^SCHEMA_/),
        }),
      ])
    }
    expect(validateSkill({ ...skill, returns_schema: true }).errors).toMatchObject([{ code: 'TYPE' }])
    expect(validateSkill({ ...skill, returns_schema: type({ a: 'string' }) })).toEqual({ valid: true, errors: [] })
  })
})
