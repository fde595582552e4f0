import { generateId, now } from '@minions/core'
import { guardMethods, takeOptions } from '@minions/core/plugin'
import { copyForFile } from '../json/copy.js'
import { unknownMembers, withMembers } from './extras.js'
import { assertRule, type RuleRecord } from './records.js'
import { RulePriority } from './rule-priority.js'

/** The input for a new rule: a name; everything else has a default. */
export type RuleInput = Pick<RuleRecord, 'name'> & Partial<RuleRecord>

/** An action for when the workspace is in a certain condition. An empty condition always holds. */
export class Rule implements RuleRecord {
  id: string
  name: string
  description: string
  condition: Record<string, unknown>
  action: Record<string, unknown>
  priority: RulePriority
  inherited_from: string | null
  enabled: boolean
  created_at: string
  #extras: Record<string, unknown> = {}

  constructor(input: RuleInput) {
    const record = withDefaults(takeOptions('A rule', input))
    assertRule(record)
    this.id = record.id
    this.name = record.name
    this.description = record.description
    this.condition = record.condition
    this.action = record.action
    this.priority = record.priority
    this.inherited_from = record.inherited_from
    this.enabled = record.enabled
    this.created_at = record.created_at
  }

  /** The record of the file, sharing nothing with the rule. Throws when it holds a value that JSON cannot represent. */
  toDict(): RuleRecord {
    return copyForFile(withMembers({ ...this }, this.#extras), `The rule ${JSON.stringify(this.name)}`)
  }

  toJSON(): RuleRecord {
    return this.toDict()
  }

  static fromDict(data: RuleInput): Rule {
    const record = copyForFile(data, 'The rule')
    const rule = new Rule(record)
    rule.#extras = unknownMembers(record, rule)
    return rule
  }
}

guardMethods(Rule)

function withDefaults(input: Partial<RuleRecord>): unknown {
  const { id = generateId(), name, description = '', condition = {}, action = {} } = input
  const { priority = RulePriority.MEDIUM, inherited_from = null, enabled = true, created_at = now() } = input
  return { id, name, description, condition, action, priority, inherited_from, enabled, created_at }
}
