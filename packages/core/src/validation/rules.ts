import { getOrInsert } from '../json/get-or-insert.js'
import { isRecord } from '../json/is-record.js'
import { APPLICATORS, every, merge, UNEVALUATED } from './applicators.js'
import { ASSERTIONS, type Matchers } from './assertions.js'
import { TYPES } from './kinds.js'
import { type Normalized, targetOf } from './normalize.js'
import type { Evaluated, Rule } from './run.js'

const ANYTHING: Rule = () => true
const NOTHING: Rule = (value, run) => run.fail('false', 'is not allowed', false, value)

/** Turns the parts of a normalized schema into rules. They need no generated code and can report every problem. */
export class RuleCompiler {
  readonly #root: Normalized
  readonly #matchers: Matchers
  readonly #rules = new Map<unknown, Rule>()

  constructor(root: Normalized, matchers: Matchers) {
    this.#root = root
    this.#matchers = matchers
  }

  /** Rule of a part of the schema, created once. */
  rule(schema: unknown): Rule {
    return getOrInsert(this.#rules, schema, () =>
      isRecord(schema) ? this.#compile(schema) : schema === false ? NOTHING : ANYTHING,
    )
  }

  /** Rule of the target of a reference, created when first followed: it may be recursive. */
  referenced(ref: string): Rule {
    const target = targetOf(this.#root, ref)
    return (value, run, evaluated) => {
      run.step()
      return this.rule(target)(value, run, evaluated)
    }
  }

  matcher(pattern: string): (text: string) => boolean {
    return this.#matchers.pattern(pattern).test
  }

  #compile(schema: Record<string, unknown>): Rule {
    const make = (table: typeof APPLICATORS) =>
      Object.entries(table).flatMap(([keyword, makeRule]) =>
        Object.hasOwn(schema, keyword) ? [makeRule(schema[keyword] as never, this, schema)] : [],
      )
    const { type, ...others } = ASSERTIONS
    const ofType = this.#assert(schema, 'type') ?? ANYTHING
    const parts = [
      ...Object.keys(others).flatMap((keyword) => this.#assert(schema, keyword) ?? []),
      ...make(APPLICATORS),
    ]
    const last = make(UNEVALUATED)
    // For a value of the wrong type, the other keywords do not apply.
    if (last.length === 0) {
      if (parts.length === 0) return ofType
      return (value, run, evaluated) => ofType(value, run) && every(parts, value, run, evaluated)
    }
    return (value, run, evaluated) => {
      const inner: Evaluated = new Set()
      const valid = ofType(value, run) && every([...parts, ...last], value, run, inner)
      return merge(valid, inner, evaluated)
    }
  }

  #assert(schema: Record<string, unknown>, keyword: string): Rule | undefined {
    if (!Object.hasOwn(schema, keyword)) return undefined
    const limit = schema[keyword]
    const assertion = ASSERTIONS[keyword]?.(limit as never, this.#matchers)
    if (assertion === undefined) return undefined
    const { test, message, on, as = keyword } = assertion
    const applies = on && TYPES[on]?.test
    return (value, run) => {
      if (applies?.(value) === false || test(value as never)) return true
      return run.fail(as, typeof message === 'string' ? message : message(value as never), limit, value)
    }
  }
}
