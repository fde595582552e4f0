import { pointerTo } from '../json/pointer.js'
import { type Issue, isShort, MAX_ISSUES } from './issue.js'

/** Names of the properties, or indexes of the items, that a schema evaluated. */
export type Evaluated = Set<string>

/** A compiled part of a schema: true if the value is valid. Reports problems, and adds what it evaluated. */
export type Rule = (value: unknown, run: Run, evaluated?: Evaluated) => boolean

/** Maximum number of references one run may follow: a second or two of work in the worst case. */
export const MAX_STEPS = 1_000_000

/** One pass over a value. Without a list of issues it ends at the first broken rule. */
export class Run {
  readonly issues: Issue[] | undefined
  readonly #base: string
  readonly #work: { steps: number }
  readonly #path: (string | number)[] = []
  #trial: Run | undefined

  constructor(issues?: Issue[], base = '', work = { steps: 0 }) {
    this.issues = issues
    this.#base = base
    this.#work = work
  }

  /** Reports a broken rule of the current value; always false. */
  fail(code: string, message: string, expected: unknown, received?: unknown): false {
    if (this.issues === undefined) return false
    const pointer = this.pointer()
    return this.add({ pointer, code, message, expected, received: isShort(received) ? received : undefined })
  }

  /** Adds an issue; always false. */
  add(issue: Issue): false {
    if (this.issues !== undefined && this.issues.length < MAX_ISSUES) this.issues.push(issue)
    return false
  }

  /** Reports a missing or unexpected property; always false. */
  failAt(key: string | number, code: string, message: string, expected: unknown): false {
    return this.inside(key, () => this.fail(code, message, expected), undefined) as false
  }

  /** Applies a rule to a value inside the current one. */
  inside(key: string | number, rule: Rule, value: unknown): boolean {
    this.#path.push(key)
    try {
      return rule(value, this)
    } finally {
      this.#path.pop()
    }
  }

  /** True if the current value matches a rule; reports nothing. */
  holds(rule: Rule, value: unknown, evaluated?: Evaluated): boolean {
    if (this.issues === undefined) return rule(value, this, evaluated)
    this.#trial ??= new Run(undefined, '', this.#work)
    return rule(value, this.#trial, evaluated)
  }

  /** The issues a rule would report for the current value. */
  issuesOf(rule: Rule, value: unknown): Issue[] {
    const issues: Issue[] = []
    rule(value, new Run(issues, this.pointer(), this.#work))
    return issues
  }

  /** Counts a followed reference: a schema can double the work with every level of a value. */
  step(): void {
    if (++this.#work.steps > MAX_STEPS) throw new RangeError('Checking the value takes too many steps.')
  }

  /** JSON Pointer to the current value. */
  pointer(): string {
    return this.#path.reduce<string>(pointerTo, this.#base)
  }
}
