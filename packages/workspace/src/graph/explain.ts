import { isRecord } from '@minions/core/json'
import { type Static, Type } from 'typebox'
import { conditionHolds, type Facts, impliedType, negated, parts } from './condition.js'
import type { Rule } from './rule.js'

export const RuleExplanationSchema = Type.Object({
  rule_id: Type.String(),
  rule_name: Type.String(),
  priority: Type.Number(),
  inherited_from: Type.Union([Type.String(), Type.Null()]),
  enabled: Type.Boolean(),
  matched: Type.Boolean(),
  reason: Type.String(),
})

export type RuleExplanation = Readonly<Static<typeof RuleExplanationSchema>>

export function explainRule(rule: Rule, facts: Facts): RuleExplanation {
  return {
    rule_id: rule.id,
    rule_name: rule.name,
    priority: rule.priority,
    inherited_from: rule.inherited_from,
    enabled: rule.enabled,
    matched: rule.enabled && conditionHolds(rule.condition, facts),
    reason: rule.enabled ? explainCondition(rule.condition, facts) : 'the rule is disabled',
  }
}

function explainCondition(condition: unknown, facts: Facts, depth = 0): string {
  if (!isRecord(condition)) return 'the condition is not an object'
  if (depth > 8) return '…'
  const type = condition.type ?? impliedType(condition)
  switch (type) {
    case 'always':
      return 'the condition always holds'
    case 'state_equals':
      return explainState(condition, facts)
    case 'node_count':
      return explainCount(condition, facts)
    case 'node_type_exists':
      return explainType(condition, facts)
    case 'all':
    case 'any': {
      const list = parts(condition, type as 'all' | 'any')
      if (!list) return `"${type}" has no list of conditions`
      return `${type} of: ${list.map((part) => `(${explainCondition(part, facts, depth + 1)})`).join(', ')}`
    }
    case 'not':
      return `not: (${explainCondition(negated(condition), facts, depth + 1)})`
    default:
      return `the condition type ${show(type)} is not known`
  }
}

function explainState(condition: Record<string, unknown>, facts: Facts): string {
  const { key, value } = condition
  if (typeof key !== 'string') return 'the condition has no key'
  if (!Object.hasOwn(facts.state, key)) return `the state has no key ${show(key)}`
  const verb = conditionHolds(condition, facts) ? 'equals' : 'differs from'
  return `state ${show(key)} is ${show(facts.state[key])}, which ${verb} ${show(value)}`
}

function explainCount(condition: Record<string, unknown>, facts: Facts): string {
  const { count, operator = '>=' } = condition
  if (typeof count !== 'number') return `the count ${show(count)} is not a number`
  const verb = conditionHolds(condition, facts) ? 'is' : 'is not'
  return `the number of nodes, ${facts.nodeCount}, ${verb} ${String(operator)} ${count}`
}

function explainType(condition: Record<string, unknown>, facts: Facts): string {
  return `${conditionHolds(condition, facts) ? 'a' : 'no'} node of type ${show(condition.node_type)} exists`
}

/** A value in at most eighty characters. */
function show(value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {
    text = undefined
  }
  text ??= typeof value
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
