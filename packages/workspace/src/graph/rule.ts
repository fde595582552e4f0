import { generateId, now } from '@minions/core'
import { guardMethods, takeOptions } from '@minions/core/plugin'
import { copyForFile } from '../json/copy.js'
import { GraphRecord } from './graph-record.js'
import { assertRecord, type RuleRecord } from './records.js'
import { RulePriority } from './rule-priority.js'

/** The input for a new rule: a name; everything else has a default. */
export type RuleInput = Pick<RuleRecord, 'name'> & Partial<RuleRecord>

/** An action for when the workspace is in a certain condition. An empty condition always holds. */
export class Rule extends GraphRecord<RuleRecord> implements RuleRecord {
  declare id: string
  declare name: string
  declare description: string
  declare condition: Record<string, unknown>
  declare action: Record<string, unknown>
  declare priority: RulePriority
  declare inherited_from: string | null
  declare enabled: boolean
  declare created_at: string

  constructor(input: RuleInput) {
    super('rule', withDefaults(takeOptions('A rule', input)))
  }

  static fromDict(data: RuleInput): Rule {
    const record = copyForFile(data, 'The rule')
    return new Rule(record).preserveExtras(record)
  }
}

guardMethods(Rule)

function withDefaults(input: Partial<RuleRecord>): RuleRecord {
  const { id = generateId(), name, description = '', condition = {}, action = {} } = input
  const { priority = RulePriority.MEDIUM, inherited_from = null, enabled = true, created_at = now() } = input
  const record: unknown = { id, name, description, condition, action, priority, inherited_from, enabled, created_at }
  assertRecord('rule', record)
  return record
}
