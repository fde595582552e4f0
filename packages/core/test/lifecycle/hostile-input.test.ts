import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMinion, updateMinion, type ValidationError } from '../../src/index.js'
import { canonicalJson, jsonProblem } from '../../src/json/index.js'
import { agentType, noteType } from '../../src/types/index.js'
import { recipeType, T0 } from './support.js'

const throwing = {
  get title(): string {
    throw new Error('no')
  },
}
const cycle: Record<string, unknown> = {}
cycle.self = cycle
const hostile = [
  null,
  undefined,
  42,
  'text',
  true,
  Symbol('s'),
  10n,
  Number.NaN,
  [],
  [1],
  new Map([['a', 1]]),
  new Date(0),
  () => 1,
  throwing,
  cycle,
  new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no')
      },
    },
  ),
  new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw new Error('no')
      },
    },
  ),
]
const byField = (errors: readonly ValidationError[], field: string) => errors.filter((error) => error.field === field)

describe('hostile input', () => {
  it('never throws, whatever the input is', () => {
    const { minion } = createMinion({ title: 'A' }, agentType)
    for (const value of hostile) {
      expect(createMinion(value as never, noteType).validation.valid).toBe(false)
      if (value !== cycle) expect(updateMinion(minion, value as never, agentType).validation.errors).toHaveLength(1)
      expect(createMinion({ title: value } as never, agentType).validation.errors).toHaveLength(
        value === 'text' ? 0 : 1,
      )
      if (value === null || value === undefined) continue
      expect(
        byField(createMinion({ title: 'A', tags: value } as never, agentType).validation.errors, 'tags'),
      ).toHaveLength(Array.isArray(value) && value.length === 0 ? 0 : 1)
      if (value !== cycle) {
        expect(createMinion({ title: 'A', fields: value } as never, agentType).validation.errors).toHaveLength(1)
        expect(updateMinion(minion, { fields: value } as never, agentType).validation.errors).toHaveLength(1)
      }
    }
  })

  it('reports all problems together', () => {
    const { validation } = createMinion(null as never, noteType)
    expect(validation.errors.map((error) => error.field).sort()).toEqual(['content', 'input', 'title'])
  })

  it('refuses values that JSON cannot carry, in known and unknown fields, and leaves them out of the minion', () => {
    for (const value of [
      cycle,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      () => 1,
      10n,
      new Date(0),
      [undefined],
      throwing,
    ]) {
      const input = { title: 'Soup', fields: { method: 'x', nutrition: value, extra: value } }
      const { minion, validation } = createMinion(input as never, recipeType)
      expect(validation.valid).toBe(false)
      expect(byField(validation.errors, 'nutrition')).toHaveLength(1)
      expect(byField(validation.errors, 'extra')).toHaveLength(1)
      expect(jsonProblem(minion)).toBeUndefined()
    }
  })

  it('takes a list for no object, even one without a prototype', () => {
    const list: unknown = Object.setPrototypeOf(['a'], null)
    for (const fields of [list, ['a']]) {
      const { validation } = createMinion({ title: 'A', fields } as never, agentType)
      expect(validation.valid).toBe(false)
    }
  })

  it('decision 1.26: refuses U+0000 and lone surrogates everywhere, and turns -0 into 0', () => {
    for (const text of ['a\0b', '\ud800', 'x\udc00y']) {
      for (const attribute of ['title', 'description', 'categoryId', 'folderId', 'createdBy']) {
        const { validation } = createMinion({ title: 'A', [attribute]: text } as never, agentType)
        expect(byField(validation.errors, attribute)).toHaveLength(1)
      }
      const { validation } = createMinion(
        { title: 'A', tags: [text], fields: { role: text, tools: [text], extra: text, deep: { a: [text] } } } as never,
        agentType,
      )
      expect(validation.errors.map((error) => error.field).sort()).toEqual(['deep', 'extra', 'role', 'tags', 'tools'])
    }
    const { minion } = createMinion({ title: 'A', fields: { temperature: -0, extra: [-0] } } as never, agentType)
    expect(Object.is(minion.fields.temperature, 0)).toBe(true)
    expect(Object.is((minion.fields as { extra?: number[] }).extra?.[0], 0)).toBe(true)
  })

  it('keeps of a list what it checked, though the list answers otherwise each time it is read', () => {
    for (const otherwise of ['a\0b', '\ud800', 5, undefined]) {
      for (let clean = 0; clean < 8; clean++) {
        let reads = 0
        const get = (list: string[], key: string) =>
          key === '0' && reads++ >= clean ? otherwise : Reflect.get(list, key)
        const list = new Proxy(['a'], { get: get as never })
        for (const name of ['tools', 'extra']) {
          reads = 0
          const { minion, validation } = createMinion({ title: 'A', fields: { [name]: list } } as never, agentType)
          expect(jsonProblem(minion)).toBeUndefined()
          if (validation.valid) expect(minion.fields).toEqual({ [name]: [name === 'tools' ? 'a' : expect.anything()] })
        }
      }
    }
  })

  it('reads every text of a long list, known or unknown, of which only the first become searchable', () => {
    const list = Array.from({ length: 262_145 }, () => 'a')
    for (const [last, valid] of [
      ['a', true],
      ['a\0b', false],
      ['\ud800', false],
    ] as const) {
      list[list.length - 1] = last
      for (const name of ['tools', 'extra']) {
        const { validation } = createMinion({ title: 'A', fields: { [name]: list } } as never, agentType)
        expect(validation.errors.map((error) => error.field)).toEqual(valid ? [] : [name])
      }
    }
  })

  it('treats __proto__, constructor and toString as ordinary field names', () => {
    const fields = JSON.parse('{"__proto__":{"polluted":true},"constructor":"c","toString":"t","content":"x"}')
    const { minion, validation } = createMinion({ title: 'N', fields }, noteType)
    expect(validation.valid).toBe(true)
    expect(Object.keys(minion.fields).sort()).toEqual(['__proto__', 'constructor', 'content', 'toString'])
    expect(JSON.stringify(minion.fields)).toBe(canonicalJson(fields))
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()

    const type = {
      id: 'odd',
      name: 'Odd',
      slug: 'odd',
      schema: ['__proto__', 'constructor', 'toString'].map((name) => ({
        name,
        type: 'number' as const,
        required: true,
        defaultValue: 1,
      })),
    }
    const odd = createMinion({ title: 'O' }, type)
    expect(odd.validation.valid).toBe(true)
    expect(Object.entries(odd.minion.fields)).toEqual([
      ['__proto__', 1],
      ['constructor', 1],
      ['toString', 1],
    ])
    const updated = updateMinion(odd.minion, { fields: JSON.parse('{"__proto__":2}') }, type)
    expect(Object.entries(updated.minion.fields)[0]).toEqual(['__proto__', 2])
    expect(updateMinion(odd.minion, { fields: JSON.parse('{"__proto__":null}') }, type).validation.valid).toBe(false)
  })

  it('looks at own properties only', () => {
    const input = Object.create({ title: 'inherited', status: 'completed' })
    expect(createMinion(input, agentType).validation.valid).toBe(false)
    const { minion } = createMinion(JSON.parse('{"title":"own","__proto__":{"status":"completed"}}'), agentType)
    expect(minion.status).toBe('active')
  })

  it('handles texts of 10 MB and bounds what is searched', () => {
    const content = '😀'.repeat(2_600_000)
    const { minion, validation } = createMinion({ title: 'N', fields: { content } }, noteType)
    expect(validation.valid).toBe(true)
    expect(minion.fields.content).toBe(content)
    expect(minion.searchableText?.length).toBeLessThanOrEqual(256 * 1024)
    expect(minion.searchableText?.isWellFormed()).toBe(true)
    expect(jsonProblem(minion)).toBeUndefined()
  })

  it('refuses nesting without end', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const { validation } = createMinion({ title: 'A', fields: { extra: deep } } as never, agentType)
    expect(byField(validation.errors, 'extra')).toHaveLength(1)
  })

  it('gives a minion that can be stored, or errors, for any JSON and for any object', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.record({ title: fc.anything(), fields: fc.anything(), tags: fc.anything() })),
        (input) => {
          const { minion, validation } = createMinion(input as never, recipeType, { clock: () => T0 })
          expect(jsonProblem(minion)).toBeUndefined()
          expect(validation.valid).toBe(validation.errors.length === 0)
          const updated = updateMinion(minion, input as never, recipeType, { clock: () => T0 })
          expect(jsonProblem(updated.minion)).toBeUndefined()
        },
      ),
      { numRuns: 300, seed: 1 },
    )
  })
})
