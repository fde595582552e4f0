import { messageOf } from '../errors/message-of.js'
import type { Matchers } from './assertions.js'
import { type Check, FREQUENT_USE, generateCheck } from './generate.js'
import type { Issue } from './issue.js'
import type { Normalized } from './normalize.js'
import { RuleCompiler } from './rules.js'
import { type Rule, Run } from './run.js'

/** Checks values against a normalized schema. Never throws, whatever the value is. */
export class Validator {
  readonly #root: Normalized
  readonly #matchers: Matchers
  readonly #rules: RuleCompiler
  #rule: Rule | undefined
  #check: Check | undefined
  #uses = 0

  constructor(root: Normalized, matchers: Matchers) {
    this.#root = root
    this.#matchers = matchers
    this.#rules = new RuleCompiler(root, matchers)
  }

  check(value: unknown): boolean {
    try {
      return this.#check === undefined ? this.#checkByRules(value) : this.#check(value)
    } catch {
      return false
    }
  }

  /** Everything that is wrong with a value, up to a limit. */
  issues(value: unknown): Issue[] {
    const issues: Issue[] = []
    try {
      this.#rule ??= this.#rules.rule(this.#root)
      this.#rule(value, new Run(issues))
      return issues
    } catch (error) {
      return [unreadable(error)]
    }
  }

  #checkByRules(value: unknown): boolean {
    this.#rule ??= this.#rules.rule(this.#root)
    const rule = this.#rule
    const check = (value: unknown) => rule(value, new Run())
    if (++this.#uses === FREQUENT_USE) this.#check = generateCheck(this.#root, this.#matchers, this.#rules) ?? check
    return check(value)
  }
}

/** The issue of a value that cannot be read: it throws, is deeper than the stack, or takes too long. */
export function unreadable(error: unknown): Issue {
  if (error instanceof RangeError) return { pointer: '', code: 'depth', message: 'is nested too deeply to be checked' }
  return { pointer: '', code: 'unreadable', message: `cannot be read: ${messageOf(error)}` }
}
