import { describe, expect, it } from 'vitest'
import { type CompositeDefinition, composeSkill, type Skill, SkillRegistry } from '../../src/index.js'
import { parseTemplate } from '../../src/skills/composition/reference.js'
import { resolveInput } from '../../src/skills/composition/resolve-input.js'

const ref = (path: string) => `\${${path}}`

const fetchObject: CompositeDefinition = {
  name: 'fetch-object',
  steps: [
    { skill: 'navigate', input: { location: ref('params.area') } },
    {
      skill: 'detect',
      input: { area: ref('params.area'), near: ref('navigate.result.final_position') },
      onError: 'retry',
    },
    {
      parallel: [
        { skill: 'grasp', input: { pose: ref('detect.result.pose') }, onError: { fallback: 'call-human' } },
        { id: 'announce', skill: 'say', input: { text: `found ${ref('detect.result.name')}` } },
      ],
    },
  ],
}

function skill(name: string, more: Partial<Skill> = {}): Skill {
  return { name, version: '1.0.0', parameters_schema: {}, execute: () => ({}), ...more }
}

const parts = ['navigate', 'detect', 'grasp', 'say', 'call-human'].map((name) => skill(name))

describe('composeSkill', () => {
  it('makes a skill like any other', () => {
    const composed = composeSkill(fetchObject)
    expect(composed).toMatchObject({ name: 'fetch-object', version: '1.0.0', parameters_schema: { type: 'object' } })
    expect(composed.dependencies).toEqual(['navigate', 'detect', 'grasp', 'call-human', 'say'])
    expect(composed.steps.map((stage) => stage.map(({ id }) => id))).toEqual([
      ['navigate'],
      ['detect'],
      ['grasp', 'announce'],
    ])
    const registry = new SkillRegistry()
    registry.registerAll([composed, ...parts])
    expect(registry.resolveDependencies('fetch-object').at(-1)).toBe('fetch-object')
  })

  it('brings every policy into one form', () => {
    const policies = [
      'abort',
      'retry',
      { retry: 3 },
      { fallback: 'other', input: { a: 1 } },
      { fallback: { found: false } },
      undefined,
    ]
    const steps = policies.map((onError, index) => ({ id: `s${index}`, skill: 'detect', onError }))
    const { steps: plan } = composeSkill({ name: 'policies', steps } as CompositeDefinition)
    expect(plan.flat().map(({ onError }) => onError)).toEqual([
      { kind: 'abort' },
      { kind: 'retry', retries: 1 },
      { kind: 'retry', retries: 3 },
      { kind: 'fallback', skill: 'other', input: { a: 1 } },
      { kind: 'fallback', result: { found: false } },
      { kind: 'abort' },
    ])
  })

  it.each<[string, RegExp, unknown]>([
    ['no steps', /at least one step/, []],
    ['steps that are no list', /at least one step/, 'detect'],
    ['an empty parallel', /at least one step/, [{ parallel: [] }]],
    ['a step that is no object', /must be an object/, ['detect']],
    ['a step without a skill', /name of a skill/, [{ input: {} }]],
    ['a skill name that cannot be', /dependencies/, [{ skill: 'a b', id: 'fine' }]],
    ['an id with a dot', /letters, digits/, [{ skill: 'detect', id: 'a.b' }]],
    ['an id that is no text', /must be a string/, [{ skill: 'detect', id: 5 }]],
    ['a reserved id', /"params"/, [{ skill: 'detect', id: 'params' }]],
    ['two steps of one name', /two steps called "detect"/, [{ skill: 'detect' }, { skill: 'detect' }]],
    ['an input that is no object', /object or a function/, [{ skill: 'detect', input: 'x' }]],
    ['an input JSON cannot carry', /class|plain JSON|JSON cannot/, [{ skill: 'detect', input: { a: new Map() } }]],
    ['an unknown policy', /onError must be/, [{ skill: 'detect', onError: 'ignore' }]],
    ['too many retries', /onError must be/, [{ skill: 'detect', onError: { retry: 6 } }]],
    ['an unknown step', /unknown step "other"/, [{ skill: 'detect', input: { a: ref('other.result.x') } }]],
    [
      'a later step',
      /does not run before/,
      [{ skill: 'detect', input: { a: ref('grasp.result') } }, { skill: 'grasp' }],
    ],
    ['its own step', /cycle/, [{ skill: 'detect', input: { a: ref('detect.result') } }]],
    [
      'a step beside it',
      /does not run before/,
      [{ parallel: [{ skill: 'detect' }, { skill: 'grasp', input: { a: ref('detect.result') } }] }],
    ],
    [
      'a reference deep inside',
      /unknown step/,
      [{ skill: 'detect', input: { a: [{ b: `x ${ref('other.result')} y` }] } }],
    ],
    [
      'a reference in a fallback',
      /unknown step/,
      [{ skill: 'detect', onError: { fallback: 'grasp', input: { a: ref('other.result') } } }],
    ],
    [
      'a path without result',
      /"\.result"/,
      [{ skill: 'detect' }, { skill: 'grasp', input: { a: ref('detect.pose') } }],
    ],
    ['a path that is none', /must be a path/, [{ skill: 'detect', input: { a: ref('params..x') } }]],
    ['a reference left open', /not closed/, [{ skill: 'detect', input: { a: '$' + '{params.x' } }]],
  ])('refuses %s', (_, message, steps) => {
    const definition = { name: 'composed', steps } as CompositeDefinition
    expect(() => composeSkill(definition)).toThrow(message)
    expect(() => composeSkill(definition)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('holds references to schemas that allow nothing else', () => {
    const closed = { type: 'object', properties: { area: { type: 'string' } }, additionalProperties: false }
    const steps = (path: string) => [{ skill: 'detect', input: { a: ref(path) } }]
    expect(() => composeSkill({ name: 'abc', parameters_schema: closed, steps: steps('params.area') })).not.toThrow()
    expect(() => composeSkill({ name: 'abc', parameters_schema: closed, steps: steps('params.are') })).toThrow(
      /parameters_schema/,
    )

    const returns_schema = { properties: { pose: { type: 'object' } }, additionalProperties: false }
    const composed = (path: string) =>
      composeSkill({ name: 'abc', steps: [{ skill: 'detect' }, { skill: 'grasp', input: { a: ref(path) } }] })
    const registry = new SkillRegistry()
    registry.registerAll([skill('detect', { returns_schema }), skill('grasp')])
    expect(() => registry.registerSkill(composed('detect.result.pos'))).toThrow(/returns_schema/)
    expect(registry.registerSkill(composed('detect.result.pose.x')).name).toBe('abc')
  })

  it('is refused by the registry when it contains itself or a skill that is not there', () => {
    const registry = new SkillRegistry()
    registry.registerAll(parts)
    expect(() => registry.registerSkill(composeSkill({ name: 'abc', steps: [{ skill: 'abc' }] }))).toThrow(
      expect.objectContaining({ code: 'CYCLE' }),
    )
    expect(() => registry.registerSkill(composeSkill({ name: 'abc', steps: [{ skill: 'missing' }] }))).toThrow(
      /missing/,
    )
  })
})

describe('resolveInput', () => {
  const scope = {
    params: { area: 'kitchen', n: 3 },
    results: { detect: { pose: { x: 1 }, list: ['cup', null], toString: 'own' } },
  }

  it('replaces references by values and keeps everything else', () => {
    const input = {
      area: ref('params.area'),
      same: ref('parameters.area'),
      pose: ref('detect.result.pose'),
      all: ref('detect.result'),
      second: [ref('detect.result.list.1'), 1, true, null],
      text: `${ref('params.n')} in ${ref('params.area')}: ${ref('detect.result.pose')}`,
      own: ref('detect.result.toString'),
      literal: `$${ref('params.area')} costs $5 {x}`,
    }
    expect(resolveInput(input, scope)).toEqual({
      area: 'kitchen',
      same: 'kitchen',
      pose: { x: 1 },
      all: scope.results.detect,
      second: [null, 1, true, null],
      text: '3 in kitchen: {"x":1}',
      own: 'own',
      literal: `${ref('params.area')} costs $5 {x}`,
    })
  })

  it('copies what it finds', () => {
    const resolved = resolveInput({ pose: ref('detect.result.pose') }, scope) as { pose: { x: number } }
    resolved.pose.x = 2
    expect(scope.results.detect.pose.x).toBe(1)
  })

  it('calls a function with what is known', () => {
    expect(resolveInput(({ params, results }) => ({ a: String(params.area), b: Object.keys(results) }), scope)).toEqual(
      {
        a: 'kitchen',
        b: ['detect'],
      },
    )
    expect(() => resolveInput(() => 5 as never, scope)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it.each(['params.none', 'params.area.length', 'params.constructor', 'other.result', 'detect.result.pose.x.y'])(
    'says that %s is not there',
    (path) => {
      expect(() => resolveInput({ a: ref(path) }, scope)).toThrow(
        expect.objectContaining({ code: 'UNRESOLVED_REFERENCE' }),
      )
    },
  )

  it('takes odd texts apart without trouble', () => {
    expect(parseTemplate('')).toEqual([''])
    expect(parseTemplate('$ $$ }{')).toEqual(['$ $$ }{'])
    expect(parseTemplate('x'.repeat(100_000))).toHaveLength(1)
  })
})
