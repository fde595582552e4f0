import { isMinionsError } from '@minions/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { executionOrder, type GraphTask, validateTaskGraph } from '../src/index.js'
import { example } from './support/edit.js'

/** `{ a: 'b c' }` is a task `a` that waits for `b` and `c`. */
function graph(tasks: Record<string, string>): { tasks: GraphTask[] } {
  return {
    tasks: Object.entries(tasks).map(([task_id, dependencies]) => ({
      task_id,
      depends_on: dependencies.split(' ').filter(Boolean),
    })),
  }
}

const brief = (value: unknown) =>
  validateTaskGraph(value as { tasks: GraphTask[] }).errors.map(({ pointer, code }) => `${pointer} ${code}`)

const chain = (length: number, closed: boolean, id = (index: number) => `task_${index}`) => ({
  tasks: Array.from({ length }, (_, index) => ({
    task_id: id(index),
    depends_on: index > 0 ? [id(index - 1)] : closed ? [id(length - 1)] : [],
  })),
})

describe('validateTaskGraph', () => {
  it('accepts graphs without tasks, with one, and with a diamond', () => {
    expect(validateTaskGraph({ tasks: [] })).toEqual({ valid: true, errors: [] })
    expect(validateTaskGraph(example('mission_task_graph') as never).valid).toBe(true)
    expect(validateTaskGraph(graph({ a: '', b: 'a', c: 'a', d: 'b c c' })).valid).toBe(true)
  })

  it('reports all violations together', () => {
    const broken = {
      tasks: [
        { task_id: 'a', depends_on: ['b', 'nowhere'] },
        { task_id: 'b', depends_on: ['a'] },
        { task_id: 'c', depends_on: ['c'], role_type: 'boss' },
        { task_id: 'a', depends_on: [] },
      ],
    }
    expect(brief(broken).sort()).toEqual([
      '/tasks/0/depends_on CYCLE',
      '/tasks/0/depends_on/1 UNKNOWN_DEPENDENCY',
      '/tasks/2/depends_on/0 SELF_DEPENDENCY',
      '/tasks/2/role_type NOT_ALLOWED',
      '/tasks/3/task_id DUPLICATE_TASK',
    ])
  })

  it('tells dependencies that are missing from those that are not a list', () => {
    expect(brief({ tasks: [{ task_id: 'a' }, { task_id: 'b', depends_on: 7 }] })).toEqual([
      '/tasks/0/depends_on REQUIRED',
      '/tasks/1/depends_on TYPE',
    ])
  })

  it('shows a cycle as its path', () => {
    const { errors } = validateTaskGraph(graph({ start: 'a', a: 'b', b: 'c', c: 'a' }))
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toContain('a → b → c → a')
  })

  it('finds cycles that hang on one another, and those next to a reported one', () => {
    expect(brief(graph({ p: 'q r', q: 's', s: 'q', r: 'p' }))).toEqual([
      '/tasks/0/depends_on CYCLE',
      '/tasks/1/depends_on CYCLE',
    ])
    expect(brief(graph({ a: 'b', b: 'a', c: 'd a', d: 'c' }))).toHaveLength(2)
  })

  it.each(['__proto__', 'constructor', 'toString'])('treats %s as a name like any other', (name) => {
    expect(brief({ tasks: [{ task_id: 'a', depends_on: [name] }] })).toEqual([
      '/tasks/0/depends_on/0 UNKNOWN_DEPENDENCY',
    ])
    expect(
      brief({
        tasks: [
          { task_id: 'constructor', depends_on: [] },
          { task_id: 'b', depends_on: ['constructor'] },
        ],
      }),
    ).toEqual([])
  })

  it.each([
    null,
    7,
    {},
    { tasks: 7 },
    { tasks: [null] },
    { tasks: [{}] },
    { tasks: [{ task_id: 7, depends_on: [7] }] },
  ])('answers %j with problems, not with an exception', (value) => {
    expect(brief(value).length).toBeGreaterThan(0)
  })

  it.each([3, 100, 10_000])('reports a cycle of %i tasks within 2,000 characters, with first and last', (length) => {
    for (const id of [(index: number) => `t${index}`, (index: number) => `${index}_`.padEnd(128, 'x')]) {
      const { errors } = validateTaskGraph(chain(length, true, id))
      expect(errors).toHaveLength(1)
      const message = errors[0]?.message ?? ''
      expect(message.length).toBeLessThanOrEqual(2000)
      // The path follows what each task waits for: the first waits for the last, and the second waits for the first.
      expect(message).toContain(`cycle: ${id(0)} → ${id(length - 1)}`)
      expect(message.endsWith(`${id(1)} → ${id(0)}`)).toBe(true)
      expect(message.includes(' more …')).toBe(length * id(0).length > 2000)
    }
  })

  it('says how many tasks of a long cycle it leaves out, also when it is one', () => {
    const omitted = new Set<number>()
    for (let width = 80; width <= 128; width++) {
      const [problem] = validateTaskGraph(chain(20, true, (index) => `${index}_`.padEnd(width, 'x'))).errors
      const path = problem?.message.split('cycle: ')[1]?.split(' → ') ?? []
      const more = path.flatMap((part) => Number(/^… (\d+) more …$/.exec(part)?.[1] ?? [])).filter(Boolean)
      const [count = 0] = more
      expect(path.length - more.length + count).toBe(21)
      omitted.add(count)
    }
    expect(omitted).toContain(0)
    expect(omitted).toContain(1)
  })

  it('agrees with a simple search on whether there is a cycle', () => {
    const size = 7
    const edges = fc.uniqueArray(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 14, selector: String })
    fc.assert(
      fc.property(edges, (pairs) => {
        const links = pairs.filter(([from, to]) => from !== to)
        const tasks = Array.from({ length: size }, (_, index) => ({
          task_id: `t${index}`,
          depends_on: links.filter(([from]) => from === index).map(([, to]) => `t${to}`),
        }))
        // In every knot of the graph, and nowhere else, a cycle is reported; no two share a task.
        const reach = closure(size, links)
        const knots = new Set(
          Array.from({ length: size }, (_, index) => index)
            .filter((index) => reach[index]?.[index])
            .map((index) => reach[index]?.map((yes, other) => yes && reach[other]?.[index]).join()),
        )
        const { errors } = validateTaskGraph({ tasks })
        const cycles = errors.map(({ message }) => message.split('cycle: ')[1]?.split(' → ').slice(1) ?? [])
        expect(cycles.length >= knots.size && (knots.size > 0 || cycles.length === 0)).toBe(true)
        expect(new Set(cycles.flat()).size).toBe(cycles.flat().length)
        for (const cycle of cycles) {
          cycle.forEach((id, index) => {
            const next = cycle[(index + 1) % cycle.length]
            expect(tasks.find(({ task_id }) => task_id === id)?.depends_on).toContain(next)
          })
        }
      }),
      { numRuns: 500, seed: 4 },
    )
  })

  it('takes time in proportion to the graph, whatever its form', () => {
    const shapes: ((size: number) => { tasks: GraphTask[] })[] = [
      (size) => chain(size, false),
      (size) => chain(size, true),
      (size) => chain(size, false, (index) => `t${size - index}`),
      (size) => graphOfPairs(size),
      (size) => ({
        tasks: Array.from({ length: size }, (_, index) => ({ task_id: `t${index}`, depends_on: index ? ['t0'] : [] })),
      }),
    ]
    // Linear work takes a fraction of a second here, quadratic work minutes.
    for (const shape of shapes) {
      const large = shape(100_000)
      expect(validateTaskGraph(large).errors.length).toBeLessThan(100_001)
    }
  })
})

describe('executionOrder', () => {
  it('puts a task into the first wave in which it can run', () => {
    expect(executionOrder(graph({ d: 'b c', a: '', b: 'a', c: '', e: 'd a' }))).toEqual([
      ['a', 'c'],
      ['b'],
      ['d'],
      ['e'],
    ])
    expect(executionOrder({ tasks: [] })).toEqual([])
  })

  it('throws a typed error with all problems for a graph that has none', () => {
    let thrown: unknown
    try {
      executionOrder(graph({ a: 'b', b: 'a', c: 'nowhere' }))
    } catch (error) {
      thrown = error
    }
    expect(isMinionsError(thrown, 'INVALID_TASK_GRAPH') && thrown.details.errors).toHaveLength(2)
    const oneProblem = () => executionOrder(graph({ a: '', b: 'nowhere' }))
    expect(oneProblem).toThrow(expect.objectContaining({ code: 'INVALID_TASK_GRAPH' }))
  })

  it('orders every acyclic graph: each once, after all it depends on, no later than needed', () => {
    const arbitrary = fc.array(fc.array(fc.nat(20), { maxLength: 4 }), { maxLength: 20 })
    fc.assert(
      fc.property(arbitrary, (lists) => {
        const tasks = lists.map((list, index) => ({
          task_id: `t${index}`,
          depends_on: list.filter((other) => other < index).map((other) => `t${other}`),
        }))
        const waves = executionOrder({ tasks: tasks.toReversed() })
        const waveOf = new Map(waves.flatMap((wave, number) => wave.map((id) => [id, number] as const)))
        expect(waves.flat().sort()).toEqual(tasks.map(({ task_id }) => task_id).sort())
        for (const { task_id, depends_on } of tasks)
          expect(waveOf.get(task_id)).toBe(Math.max(-1, ...depends_on.map((id) => waveOf.get(id) ?? Number.NaN)) + 1)
      }),
      { numRuns: 300, seed: 4 },
    )
  })

  it('handles ten thousand tasks in a row', () => {
    expect(executionOrder(chain(10_000, false))).toHaveLength(10_000)
  })
})

function graphOfPairs(size: number): { tasks: GraphTask[] } {
  return {
    tasks: Array.from({ length: size }, (_, index) => ({ task_id: `t${index}`, depends_on: [`t${index ^ 1}`] })),
  }
}

function closure(size: number, links: readonly (readonly [number, number])[]): boolean[][] {
  const reach = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const set = (from: number, to: number) => {
    ;(reach[from] as boolean[])[to] = true
  }
  for (const [from, to] of links) set(from, to)
  for (let middle = 0; middle < size; middle++)
    for (let from = 0; from < size; from++)
      for (let to = 0; to < size; to++) if (reach[from]?.[middle] && reach[middle]?.[to]) set(from, to)
  return reach
}
