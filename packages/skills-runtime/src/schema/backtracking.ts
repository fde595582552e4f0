import { type CharSet, intersect, parseRegex, type RegexNode } from './regex-syntax.js'

/** Repetitions up to this many times are written out; more are treated like a loop. */
const MAX_UNROLLED = 8
const MAX_UNROLLED_EXACT = 64
const MAX_POSITIONS = 400
const MAX_PAIRS = 100_000

/** The ways into and out of a part of the automaton. */
interface Part {
  readonly nullable: boolean
  readonly first: readonly number[]
  readonly last: readonly number[]
}

/**
 * Says why a pattern could take exponential time in a backtracking engine, or `undefined` when it cannot. We match with
 * a linear engine ourselves, but schemas are published and others will run them with `RegExp`.
 *
 * The pattern becomes its position automaton; it is exponential when one text leads from a position back to itself in
 * two different ways, as in `(a+)+`. A separator makes loops in loops harmless: `[a-z]+(-[a-z]+)*` passes.
 */
export function backtrackingProblem(pattern: string): string | undefined {
  const node = parseRegex(pattern)
  if (node === undefined) return 'uses look-around or a back-reference, which cannot be matched in linear time'
  if (!hasLoop(node)) return undefined
  const automaton = new Automaton()
  automaton.add(node)
  if (automaton.tooLarge) return 'is too large to be judged safe; split it or use fewer repetitions'
  return automaton.problem()
}

function hasLoop(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
      return false
    case 'repeat':
      return isLoop(node.min, node.max) || hasLoop(node.body)
    default:
      return node.parts.some(hasLoop)
  }
}

function isLoop(min: number, max: number): boolean {
  return max > (min === max ? MAX_UNROLLED_EXACT : MAX_UNROLLED)
}

class Automaton {
  readonly #sets: CharSet[] = []
  /** Successors of each position, with in how many ways each is reached. */
  readonly #follow: Map<number, number>[] = []
  tooLarge = false

  add(node: RegexNode): Part {
    switch (node.kind) {
      case 'set':
        return this.#position(node.set)
      case 'sequence':
        return node.parts.reduce<Part>((left, part) => this.#join(left, this.add(part)), NOTHING)
      case 'choice':
        return node.parts.map((part) => this.add(part)).reduce(union)
      case 'repeat':
        return this.#repeat(node.body, node.min, node.max)
    }
  }

  #position(set: CharSet): Part {
    const index = this.#sets.push(set) - 1
    this.#follow.push(new Map())
    if (index > MAX_POSITIONS) this.tooLarge = true
    return { nullable: false, first: [index], last: [index] }
  }

  #repeat(body: RegexNode, min: number, max: number): Part {
    if (isLoop(min, max)) {
      const part = this.add(body)
      this.#link(part, part)
      return min === 0 ? { ...part, nullable: true } : part
    }
    let result = NOTHING
    for (let count = 0; count < max && !this.tooLarge; count++) {
      const part = this.add(body)
      result = this.#join(result, count < min ? part : { ...part, nullable: true })
    }
    return result
  }

  #join(left: Part, right: Part): Part {
    this.#link(left, right)
    return {
      nullable: left.nullable && right.nullable,
      first: left.nullable ? [...left.first, ...right.first] : left.first,
      last: right.nullable ? [...left.last, ...right.last] : right.last,
    }
  }

  #link(left: Part, right: Part): void {
    if (this.tooLarge) return
    for (const from of left.last) {
      const next = this.#follow[from] as Map<number, number>
      for (const to of right.first) next.set(to, (next.get(to) ?? 0) + 1)
    }
  }

  problem(): string | undefined {
    const exponential = 'repeats a part that can match the same text in several ways, which takes exponential time'
    const components = this.#components()
    for (const [from, next] of this.#follow.entries()) {
      for (const [to, ways] of next) if (ways > 1 && components[from] === components[to]) return exponential
    }
    const ambiguous = this.#ambiguous(components)
    if (ambiguous === undefined) return 'is too large to be judged safe; split it or use fewer repetitions'
    return ambiguous ? exponential : undefined
  }

  /**
   * Walks two readers of one text through each loop at once. If they can part and meet again in the same loop, the
   * loop is ambiguous. `undefined` when there are too many pairs to look at.
   */
  #ambiguous(components: readonly number[]): boolean | undefined {
    const size = this.#sets.length
    const before = new Map<number, number[]>()
    const seen = new Set<number>()
    const queue: number[] = []
    for (let position = 0; position < size; position++) queue.push(position * size + position)
    for (const pair of queue) seen.add(pair)
    for (let head = 0; head < queue.length; head++) {
      const pair = queue[head] as number
      for (const next of this.#successors(pair, components)) {
        const sources = before.get(next)
        if (sources === undefined) before.set(next, [pair])
        else sources.push(pair)
        if (seen.has(next)) continue
        if (seen.size >= MAX_PAIRS) return undefined
        seen.add(next)
        queue.push(next)
      }
    }
    const meeting: number[] = []
    for (let position = 0; position < size; position++) meeting.push(position * size + position)
    const returning = new Set(meeting)
    for (let head = 0; head < meeting.length; head++) {
      for (const pair of before.get(meeting[head] as number) ?? []) {
        if (Math.floor(pair / size) !== pair % size) return true
        if (returning.has(pair)) continue
        returning.add(pair)
        meeting.push(pair)
      }
    }
    return false
  }

  *#successors(pair: number, components: readonly number[]): Generator<number> {
    const size = this.#sets.length
    const left = Math.floor(pair / size)
    const right = pair % size
    for (const a of (this.#follow[left] as Map<number, number>).keys()) {
      if (components[a] !== components[left]) continue
      for (const b of (this.#follow[right] as Map<number, number>).keys()) {
        if (components[b] !== components[a] || components[b] !== components[right]) continue
        if (intersect(this.#sets[a] as CharSet, this.#sets[b] as CharSet)) yield a * size + b
      }
    }
  }

  /** Numbers the strongly connected components: positions that one loop contains share a number. */
  #components(): number[] {
    const size = this.#sets.length
    const reverse: number[][] = Array.from({ length: size }, () => [])
    for (const [from, next] of this.#follow.entries()) for (const to of next.keys()) reverse[to]?.push(from)
    const order: number[] = []
    const visited = new Array<boolean>(size).fill(false)
    const visit = (at: number) => {
      if (visited[at]) return
      visited[at] = true
      for (const next of (this.#follow[at] as Map<number, number>).keys()) visit(next)
      order.push(at)
    }
    for (let position = 0; position < size; position++) visit(position)
    const component = new Array<number>(size).fill(-1)
    const assign = (at: number, to: number) => {
      if (component[at] !== -1) return
      component[at] = to
      for (const next of reverse[at] as number[]) assign(next, to)
    }
    for (const position of order.reverse()) assign(position, position)
    return component
  }
}

const NOTHING: Part = { nullable: true, first: [], last: [] }

function union(left: Part, right: Part): Part {
  return {
    nullable: left.nullable || right.nullable,
    first: [...left.first, ...right.first],
    last: [...left.last, ...right.last],
  }
}
