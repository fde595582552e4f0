import { compileSchema } from '@minions/core/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Skill, SkillRegistry, SkillRegistrySchema } from '../../src/index.js'
import { navigate } from '../examples.js'

function skill(name: string, dependencies: string[] = [], more: Partial<Skill> = {}): Skill {
  return { name, version: '1.0.0', parameters_schema: { type: 'object' }, dependencies, execute: () => ({}), ...more }
}

function coded(code: string) {
  return expect.objectContaining({ code })
}

function fetchObject(): SkillRegistry {
  const registry = new SkillRegistry()
  registry.registerSkill(skill('navigate'))
  registry.registerSkill(skill('detect', ['navigate']))
  registry.registerSkill(skill('grasp', ['detect', 'navigate']))
  return registry
}

describe('registering', () => {
  it('completes, dates and freezes the skill', () => {
    let time = 0
    const registry = new SkillRegistry({ clock: () => time })
    expect(registry.last_updated).toBe('1970-01-01T00:00:00.000Z')
    time = 1000
    const registered = registry.registerSkill(skill('navigate', [], { tags: ['motion'] }))
    expect(registered).toMatchObject({
      timeout: 30,
      max_retries: 0,
      tags: ['motion'],
      created_at: '1970-01-01T00:00:01.000Z',
      updated_at: '1970-01-01T00:00:01.000Z',
    })
    expect(registry.getSkill('navigate')).toBe(registered)
    expect(Object.isFrozen(registered)).toBe(true)
    expect(registry.last_updated).toBe('1970-01-01T00:00:01.000Z')
    expect(registry.registry_id).toBe('default')
    expect(new SkillRegistry({ id: 'other' }).registry_id).toBe('other')
  })

  it('keeps the times a record already has and shares nothing with it', () => {
    const record = structuredClone(navigate)
    const registry = new SkillRegistry()
    registry.registerSkill(record)
    record.parameters_schema.required = []
    record.tags.push('changed')
    expect(registry.getSkill('navigate')).toEqual(navigate)
  })

  it('refuses what is not valid, and says which attribute', () => {
    const registry = new SkillRegistry()
    expect(() => registry.registerSkill(skill('navigate', [], { timeout: 0 }))).toThrow(coded('VALIDATION_FAILED'))
    expect(() => registry.registerSkill(skill('navigate', [], { timeout: 0 }))).toThrow(/navigate.*timeout/)
    for (const value of [undefined, null, 'x', {}]) {
      expect(() => registry.registerSkill(value as never)).toThrow(coded('VALIDATION_FAILED'))
    }
    expect(registry.listSkills()).toEqual([])
  })

  it('refuses a version twice', () => {
    const registry = fetchObject()
    expect(() => registry.registerSkill(skill('navigate'))).toThrow(coded('ALREADY_REGISTERED'))
    expect(() => new SkillRegistry().registerAll([skill('abc'), skill('abc')])).toThrow(coded('ALREADY_REGISTERED'))
  })

  it('refuses dependencies that do not exist', () => {
    const registry = new SkillRegistry()
    expect(() => registry.registerSkill(skill('detect', ['navigate']))).toThrow(
      expect.objectContaining({
        code: 'REFERENCE_VIOLATION',
        details: expect.objectContaining({ field: 'dependencies', missing: ['navigate'] }),
      }),
    )
    expect(() => registry.registerSkill(skill('detect', ['toString']))).toThrow(coded('REFERENCE_VIOLATION'))
  })

  it('lets a batch refer to itself, and takes all of it or nothing', () => {
    const registry = new SkillRegistry()
    registry.registerAll([skill('grasp', ['detect']), skill('detect', ['navigate']), skill('navigate')])
    expect(registry.resolveDependencies('grasp')).toEqual(['navigate', 'detect', 'grasp'])
    const before = registry.toJSON()
    expect(() => registry.registerAll([skill('fine'), skill('bad', ['missing'])])).toThrow(coded('REFERENCE_VIOLATION'))
    expect(() => registry.registerAll([skill('fine'), skill('x')])).toThrow(coded('VALIDATION_FAILED'))
    expect(registry.toJSON()).toEqual(before)
    expect(registry.registerAll([])).toEqual([])
  })

  it('gives code to a record with the same schemas, and to no other', () => {
    const registry = new SkillRegistry()
    const { parameters_schema, returns_schema } = navigate
    registry.registerSkill(navigate)
    expect(() => registry.registerSkill(navigate)).toThrow(coded('ALREADY_REGISTERED'))
    expect(() => registry.registerSkill(skill('navigate', [], { parameters_schema }))).toThrow(coded('SKILL_MISMATCH'))
    const bound = registry.registerSkill(skill('navigate', [], { parameters_schema, returns_schema }))
    expect(bound.created_at).toBe(navigate.created_at)
    expect(registry.getSkill('navigate').execute).toBeTypeOf('function')
  })
})

describe('finding', () => {
  it('orders versions as semantic versions do', () => {
    const registry = new SkillRegistry()
    for (const version of ['1.9.0', '1.10.0', '1.2.30']) registry.registerSkill(skill('abc', [], { version }))
    expect(registry.getSkill('abc').version).toBe('1.10.0')
    expect(registry.getSkill('abc', '1.2.30').version).toBe('1.2.30')
    expect(registry.listVersions('abc')).toEqual(['1.2.30', '1.9.0', '1.10.0'])
    expect(registry.listSkills().map(({ version }) => version)).toEqual(['1.10.0'])
    expect(registry.skills.abc?.version).toBe('1.10.0')
  })

  it.each([['none'], ['toString'], ['__proto__'], ['abc', '2.0.0'], ['abc', '^1.0.0'], ['abc', '']])(
    'finds no %s %s',
    (...args) => {
      const registry = new SkillRegistry()
      registry.registerSkill(skill('abc'))
      expect(() => registry.getSkill(args[0] as string, args[1])).toThrow(coded('NOT_FOUND'))
      expect(registry.hasSkill(args[0] as string, args[1])).toBe(false)
    },
  )

  it('lists skills that have all tags', () => {
    const registry = new SkillRegistry()
    registry.registerAll([
      skill('zzz', [], { tags: ['a', 'b'] }),
      skill('123', [], { tags: ['b'] }),
      skill('constructor', [], { tags: [] }),
    ])
    const names = (tags?: string[]) => registry.listSkills(tags).map(({ name }) => name)
    expect(names()).toEqual(['zzz', '123', 'constructor'])
    expect(names([])).toEqual(['zzz', '123', 'constructor'])
    expect(names(['b'])).toEqual(['zzz', '123'])
    expect(names(['b', 'a'])).toEqual(['zzz'])
    expect(names(['none'])).toEqual([])
  })

  it('shows itself as a record', () => {
    const registry = fetchObject()
    expect(registry.dependency_graph).toEqual({ navigate: [], detect: ['navigate'], grasp: ['detect', 'navigate'] })
    expect(Object.keys(registry.skills)).toEqual(['navigate', 'detect', 'grasp'])
    expect(() => Object.assign(registry.skills, { other: 1 })).toThrow(TypeError)
    const schema = JSON.parse(JSON.stringify(SkillRegistrySchema))
    expect(compileSchema(schema).issues(JSON.parse(JSON.stringify(registry)))).toEqual([])
  })
})

describe('dependencies', () => {
  it('come first, each once, the skill itself last', () => {
    const registry = fetchObject()
    expect(registry.resolveDependencies('grasp')).toEqual(['navigate', 'detect', 'grasp'])
    expect(registry.resolveDependencies('navigate')).toEqual(['navigate'])
    expect(() => registry.resolveDependencies('none')).toThrow(coded('NOT_FOUND'))
  })

  it.each([
    ['a skill on itself', [skill('aaa', ['aaa'])], ['aaa', 'aaa']],
    ['two on each other', [skill('aaa', ['bbb']), skill('bbb', ['aaa'])], ['aaa', 'bbb', 'aaa']],
    [
      'a circle further down',
      [skill('top', ['aaa']), skill('aaa', ['bbb']), skill('bbb', ['aaa'])],
      ['aaa', 'bbb', 'aaa'],
    ],
  ])('never form a circle: %s', (_, skills, path) => {
    const registry = new SkillRegistry()
    expect(() => registry.registerAll(skills)).toThrow(expect.objectContaining({ code: 'CYCLE', details: { path } }))
    expect(registry.listSkills()).toEqual([])
  })

  it('never form a circle through a new version', () => {
    const registry = fetchObject()
    expect(() => registry.registerSkill(skill('navigate', ['grasp'], { version: '2.0.0' }))).toThrow(
      expect.objectContaining({ code: 'CYCLE', details: { path: ['navigate', 'grasp', 'detect', 'navigate'] } }),
    )
    expect(registry.getSkill('navigate').version).toBe('1.0.0')
    expect(() => registry.registerSkill(skill('navigate', ['grasp'], { version: '0.9.0' }))).not.toThrow()
  })

  it('can be asked for circles', () => {
    const registry = fetchObject()
    expect(registry.detectCycles('grasp')).toBe(false)
    expect(registry.detectCycles('navigate', ['grasp'])).toBe(true)
    expect(registry.detectCycles('navigate', ['navigate'])).toBe(true)
    expect(registry.detectCycles('new-one', ['grasp'])).toBe(false)
    expect(() => registry.detectCycles('none')).toThrow(coded('NOT_FOUND'))
  })

  it('are respected for every acyclic graph', () => {
    const graph = fc.array(fc.uniqueArray(fc.nat({ max: 30 }), { maxLength: 5 }), { minLength: 1, maxLength: 25 })
    fc.assert(
      fc.property(graph, fc.nat(), (edges, seed) => {
        const skills = edges.map((to, index) =>
          skill(
            `skill-${index}`,
            to.filter((each) => each < index).map((each) => `skill-${each}`),
          ),
        )
        const shuffled = skills.map((each, index) => [(index * 7919 + seed) % 101, each] as const)
        const registry = new SkillRegistry()
        registry.registerAll(shuffled.sort((a, b) => a[0] - b[0]).map(([, each]) => each))
        for (const { name } of skills) {
          const order = registry.resolveDependencies(name)
          expect(new Set(order).size).toBe(order.length)
          expect(order.at(-1)).toBe(name)
          for (const each of order) {
            const before = order.slice(0, order.indexOf(each))
            expect(before).toEqual(expect.arrayContaining([...registry.getSkill(each).dependencies]))
          }
        }
      }),
      { numRuns: 40, seed: 1 },
    )
  })

  it('of a long chain need no stack', () => {
    const skills = Array.from({ length: 20_000 }, (_, index) =>
      skill(`s-${index}`, index === 0 ? [] : [`s-${index - 1}`]),
    )
    const registry = new SkillRegistry()
    registry.registerAll(skills.reverse())
    expect(registry.resolveDependencies('s-19999')).toHaveLength(20_000)
  })

  it('of a thousand skills in a dense graph register in linear time', () => {
    const registry = new SkillRegistry()
    const names: string[] = []
    // Half a million edges: looking at each again with every skill would take hours.
    for (let index = 0; index < 1000; index++) {
      registry.registerSkill(skill(`skill-${index}`, [...names]))
      names.push(`skill-${index}`)
    }
    expect(registry.resolveDependencies('skill-999')).toEqual(names)
  })
})

describe('removing', () => {
  it('is refused while another skill depends on the name', () => {
    const registry = fetchObject()
    expect(() => registry.unregister('navigate')).toThrow(
      expect.objectContaining({
        code: 'REFERENCE_VIOLATION',
        details: { name: 'navigate', dependents: ['detect', 'grasp'] },
      }),
    )
    registry.unregister('grasp')
    registry.unregister('detect', '1.0.0')
    registry.unregister('navigate')
    expect(registry.listSkills()).toEqual([])
    expect(registry.dependency_graph).toEqual({})
    expect(() => registry.unregister('navigate')).toThrow(coded('NOT_FOUND'))
  })

  it('of one version leaves the others', () => {
    let time = 0
    const registry = new SkillRegistry({ clock: () => time })
    registry.registerAll([skill('abc'), skill('abc', [], { version: '2.0.0' }), skill('user', ['abc'])])
    time = 5000
    registry.unregister('abc', '2.0.0')
    expect(registry.getSkill('abc').version).toBe('1.0.0')
    expect(registry.last_updated).toBe('1970-01-01T00:00:05.000Z')
    expect(() => registry.unregister('abc', '1.0.0')).toThrow(coded('REFERENCE_VIOLATION'))
    expect(() => registry.unregister('abc', '3.0.0')).toThrow(coded('NOT_FOUND'))
  })

  it('is refused when an older version would close a circle', () => {
    const registry = new SkillRegistry()
    registry.registerAll([skill('aaa', ['bbb']), skill('bbb')])
    registry.registerSkill(skill('aaa', [], { version: '2.0.0' }))
    registry.registerSkill(skill('bbb', ['aaa'], { version: '2.0.0' }))
    expect(() => registry.unregister('aaa', '2.0.0')).toThrow(coded('CYCLE'))
    expect(registry.getSkill('aaa').version).toBe('2.0.0')
  })
})
