import { isMinionsError } from '@minions/core'
import { copyJson } from '@minions/core/json'
import { guardMethods } from '@minions/core/plugin'
import { compileSchema, describeIssues, type Issue, issuesBelow } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { approvalsError } from '../errors.js'
import { compileRule, type RuleMatcher } from './compile-rule.js'
import {
  POLICY_ACTIONS,
  type PolicyAction,
  type PolicyCall,
  type PolicyRule,
  PolicyRuleSchema,
  type PolicyTest,
} from './rule.js'

const MOST_RULES = 1000

export const RulesSchema = Type.Array(PolicyRuleSchema, {
  maxItems: MOST_RULES,
  description: 'Rules in order; the first that matches decides.',
  examples: [[{ name: 'ask-before-search', action: 'ask', kind: 'tool', call: 'external_search' }]],
})

export const ExplanationSchema = Type.Object({
  action: Type.Enum(POLICY_ACTIONS),
  rule: Type.Union([Type.String(), Type.Null()], { description: 'The rule that decides; null if none matches.' }),
  reason: Type.String({ description: 'Why, in words.' }),
  version: Type.Integer({
    minimum: 0,
    description: 'Version of the policy; 0 for the rules that the app was started with.',
  }),
  considered: Type.Array(
    Type.Object({
      rule: Type.String(),
      matches: Type.Boolean(),
      because: Type.String({ description: 'Why the rule does not match; empty for one that does.' }),
    }),
    { description: 'The rules that were tried, in order, up to the one that decides.' },
  ),
})
export type Explanation = Static<typeof ExplanationSchema>

/** A verdict with the rule behind it. */
export interface PolicyVerdict extends Explanation {
  readonly decidedBy: PolicyRule | undefined
}

/** One version of a policy, ready for use. */
export class Policy {
  readonly version: number
  readonly rules: readonly PolicyRule[]
  readonly #matchers: readonly RuleMatcher[]

  /** Throws `POLICY_INVALID`. */
  constructor(rules: readonly PolicyRule[], version: number) {
    this.version = version
    this.rules = checkedRules(rules)
    this.#matchers = this.rules.map(compileRule)
  }

  /** The decision on a call. A call that no rule matches is allowed. */
  explain(call: PolicyCall): PolicyVerdict {
    const considered: Explanation['considered'] = []
    for (const [index, rule] of this.rules.entries()) {
      const because = this.#matchers[index]?.(call)
      considered.push({ rule: rule.name, matches: because === undefined, because: because ?? '' })
      if (because !== undefined) continue
      const reason = rule.reason ?? `rule "${rule.name}" says ${rule.action}`
      return { action: rule.action, rule: rule.name, reason, version: this.version, considered, decidedBy: rule }
    }
    const action: PolicyAction = 'allow'
    return { action, rule: null, reason: 'no rule matches', version: this.version, considered, decidedBy: undefined }
  }

  /** Tests that fail. */
  failures(tests: readonly PolicyTest[]): { title: string; message: string }[] {
    return tests.flatMap(({ title, call, expect, rule }) => {
      const found = this.explain(call)
      const by = found.rule === null ? 'no rule' : `rule "${found.rule}"`
      if (found.action !== expect) return [{ title, message: `expected ${expect}, but ${by} says ${found.action}` }]
      if (rule !== undefined && found.rule !== rule)
        return [{ title, message: `expected rule "${rule}" to decide, not ${by}` }]
      return []
    })
  }
}

guardMethods(Policy)

/** Rules as they are stored. Throws `POLICY_INVALID` with all problems. */
function checkedRules(given: readonly PolicyRule[]): readonly PolicyRule[] {
  const rules = copyJson(given, 'The rules of a policy')
  const schema = compileSchema(RulesSchema)
  const errors = schema.check(rules) ? rules.flatMap(ruleProblems) : schema.issues(rules)
  if (errors.length === 0) return rules
  const why = describeIssues(errors, 'it', 1)
  throw approvalsError('POLICY_INVALID', `The policy cannot be used: ${why}.`, { details: { errors } })
}

function ruleProblems(rule: PolicyRule, index: number, all: readonly PolicyRule[]): Issue[] {
  const issues: Issue[] = []
  const report = (pointer: string, code: string, message: string) => issues.push({ pointer, code, message })
  if (all.findIndex(({ name }) => name === rule.name) < index) {
    report('/name', 'unique', 'is the name of an earlier rule too')
  }
  if (rule.ask !== undefined && rule.action !== 'ask') {
    report('/ask', 'dependentRequired', 'belongs to rules whose action is "ask"')
  }
  for (const pointer of Object.keys(rule.arguments ?? {})) {
    if (pointer === '' || pointer.startsWith('/')) continue
    report('/arguments', 'format', `has "${pointer.slice(0, 100)}", which is not a JSON Pointer such as "/to"`)
  }
  try {
    compileRule(rule)
  } catch (error) {
    if (!isMinionsError(error)) throw error
    report('', 'pattern', `has an invalid pattern: ${error.message}`)
  }
  return issuesBelow(`/${index}`, issues)
}
