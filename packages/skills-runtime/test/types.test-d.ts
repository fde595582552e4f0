import { Type as Sinclair } from '@sinclair/typebox'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import {
  type AgentState,
  canTransition,
  composeSkill,
  defineSkill,
  type InferSchema,
  type Message,
  type RegisteredSkill,
  type Skill,
  type SkillContext,
  type SkillParams,
  SkillRegistry,
  type SkillResult,
} from '../src/index.js'

const base = { name: 'navigate', version: '1.0.0' }

describe('types of a skill', () => {
  it('follow from zod, valibot and arktype, with defaults filled in', () => {
    interface Params {
      location: string
      speed: number
    }
    defineSkill({
      ...base,
      parameters_schema: z.object({ location: z.string(), speed: z.number().default(1) }),
      returns_schema: z.object({ status: z.enum(['ok', 'lost']) }),
      execute(params) {
        expectTypeOf(params).toEqualTypeOf<Params>()
        return { status: 'ok' as const }
      },
    })
    const arktype = defineSkill({
      ...base,
      parameters_schema: type({ location: 'string', speed: 'number = 1' }),
      execute: () => ({}),
    })
    expectTypeOf<SkillParams<typeof arktype>>().toEqualTypeOf<Params>()
    defineSkill({
      ...base,
      parameters_schema: v.object({ location: v.string() }),
      returns_schema: v.object({ status: v.string() }),
      // @ts-expect-error the result does not fit the schema
      execute: async () => ({ status: 5 }),
    })
  })

  it('follow from typebox 1.x', () => {
    const skill = defineSkill({
      ...base,
      parameters_schema: Type.Object({ location: Type.String(), speed: Type.Optional(Type.Number({ default: 1 })) }),
      returns_schema: Type.Object({ status: Type.Union([Type.Literal('ok'), Type.Literal('lost')]) }),
      execute(params, context) {
        expectTypeOf(params).toEqualTypeOf<{ location: string; speed?: number }>()
        expectTypeOf(context).toEqualTypeOf<SkillContext>()
        return { status: 'ok' as const }
      },
    })
    expectTypeOf<SkillParams<typeof skill>>().toEqualTypeOf<{ location: string; speed?: number }>()
    expectTypeOf<SkillResult<typeof skill>>().toEqualTypeOf<{ status: 'ok' | 'lost' }>()
    defineSkill({
      ...base,
      parameters_schema: Type.Object({}),
      returns_schema: Type.Object({ status: Type.String() }),
      // @ts-expect-error the result does not fit the schema
      execute: async () => ({ status: 5 }),
    })
  })

  it('follow from @sinclair/typebox', () => {
    const skill = defineSkill({
      ...base,
      parameters_schema: Sinclair.Object({ location: Sinclair.String(), speed: Sinclair.Optional(Sinclair.Number()) }),
      returns_schema: Sinclair.Object({ found: Sinclair.Boolean() }),
      async execute(params) {
        expectTypeOf(params).toEqualTypeOf<{ location: string; speed?: number }>()
        return { found: true }
      },
    })
    expectTypeOf<SkillResult<typeof skill>>().toEqualTypeOf<{ found: boolean }>()
    defineSkill({
      ...base,
      parameters_schema: Sinclair.Object({ location: Sinclair.String() }),
      // @ts-expect-error the schema has no such parameter
      execute: ({ place }) => ({ place }),
    })
  })

  it('are open for plain JSON Schema', () => {
    const skill = defineSkill({
      ...base,
      parameters_schema: { type: 'object', properties: { location: { type: 'string' } } },
      execute(params) {
        expectTypeOf(params).toEqualTypeOf<Record<string, unknown>>()
        return { went: params.location }
      },
    })
    expectTypeOf<SkillResult<typeof skill>>().toEqualTypeOf<object>()
    expectTypeOf<InferSchema<{ $schema: string; type: 'object' }>>().toEqualTypeOf<Record<string, unknown>>()
    // @ts-expect-error a result is an object
    defineSkill({ ...base, parameters_schema: {}, execute: () => 'done' })
    // @ts-expect-error the parameters need a schema
    defineSkill({ ...base, execute: () => ({}) })
    // @ts-expect-error there is no such attribute
    defineSkill({ ...base, parameters_schema: {}, time_out: 5, execute: () => ({}) })
  })

  it('fit where any skill fits', () => {
    const typed = defineSkill({
      ...base,
      parameters_schema: Type.Object({ location: Type.String() }),
      execute: ({ location }) => ({ location }),
    })
    expectTypeOf(typed).toExtend<Skill>()
    const registry = new SkillRegistry()
    expectTypeOf(registry.registerSkill(typed)).toEqualTypeOf<RegisteredSkill>()
    registry.registerAll([typed, composeSkill({ name: 'composed', steps: [{ skill: 'navigate' }] })])
    expectTypeOf(registry.getSkill('navigate').timeout).toEqualTypeOf<number>()
    expectTypeOf(registry.detectCycles('navigate')).toEqualTypeOf<boolean>()
    // @ts-expect-error a policy is one of three
    composeSkill({ name: 'composed', steps: [{ skill: 'navigate', onError: 'ignore' }] })
  })
})

describe('types of records', () => {
  it('follow from their schemas', () => {
    expectTypeOf<Message['message_type']>().toEqualTypeOf<'event' | 'request' | 'response' | 'error'>()
    expectTypeOf<Message['recipient_id']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf(canTransition).parameter(0).toEqualTypeOf<AgentState>()
    // @ts-expect-error there is no such state
    canTransition('asleep', 'running')
  })
})
