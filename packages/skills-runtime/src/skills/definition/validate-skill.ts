import { getOwn, isRecord, pointerTo } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { type Issue, isStandardSchema, issuesBelow, schemaIssues } from '@minions/core/schema'
import { attributeIssue, brokenOf, jsonIssues, recordValidator, validatorOf } from '../../validation.js'
import { RUNTIME_KEYS } from './skill.js'
import { AgentSkillRecordSchema, SKILL_LIMITS, SkillSchema } from './skill-schema.js'

const SCHEMA_ATTRIBUTES = ['parameters_schema', 'returns_schema'] as const

const validateRecord = recordValidator(SkillSchema)
const validateAgentSkill = recordValidator(AgentSkillRecordSchema)

/**
 * Checks a skill, as a record or with its code, against every rule that needs no other skill. Pure; a null attribute
 * counts as absent. The registry checks that dependencies exist and form no cycle.
 */
export const validateSkill = guarded('validateSkill', validatorOf(issuesOf))

function issuesOf(skill: Record<string, unknown>): Issue[] {
  const record = attributes(skill)
  const errors: Issue[] = []
  for (const field of SCHEMA_ATTRIBUTES) {
    const schema = getOwn(record, field)
    if (!isRecord(schema) && !isStandardSchema(schema)) continue
    errors.push(...schemaErrors(field, schema))
    // Some Standard Schemas are functions; their content has been checked.
    record[field] = {}
  }
  const validate = getOwn(record, 'agent_skill') === undefined ? validateRecord : validateAgentSkill
  errors.unshift(...validate(record))
  for (const [key, value] of Object.entries(record)) {
    if ((SCHEMA_ATTRIBUTES as readonly string[]).includes(key)) continue
    errors.push(...issuesBelow(pointerTo('', key), jsonIssues(value)))
  }
  return [...errors, ...codeIssues(skill)]
}

function schemaErrors(field: string, schema: object): Issue[] {
  const issues = schemaIssues(schema).map((issue) => ({ ...issue, code: `SCHEMA_${issue.code}` }))
  return issuesBelow(pointerTo('', field), issues)
}

/** The attributes of the record: own properties that are neither null nor code. */
function attributes(skill: Record<string, unknown>): Record<string, unknown> {
  const runtime: readonly string[] = RUNTIME_KEYS
  return Object.fromEntries(
    Object.entries(skill).filter(([key, value]) => value !== null && value !== undefined && !runtime.includes(key)),
  )
}

/** A skill may have no code, but given code must be able to run in its isolation. */
function codeIssues(skill: Record<string, unknown>): Issue[] {
  const [execute, module, steps] = ['execute', 'module', 'steps'].map((key) => getOwn(skill, key) ?? undefined)
  const isolation = getOwn(skill, 'isolation') ?? 'inline'
  const isWorker = isolation === 'worker'
  const isPlan = Array.isArray(steps) && steps.every(Array.isArray)
  return [
    ...brokenOf(
      execute !== undefined && typeof execute !== 'function' && attributeIssue('execute', 'TYPE', 'must be a function'),
      isolation !== 'inline' &&
        !isWorker &&
        attributeIssue('isolation', 'ENUM', 'must be one of inline, worker', isolation),
      module !== undefined &&
        typeof module !== 'string' &&
        !(module instanceof URL) &&
        attributeIssue('module', 'TYPE', 'must be the URL of a module'),
    ),
    ...timeoutIssues(skill),
    ...brokenOf(
      steps !== undefined && !isPlan && attributeIssue('steps', 'TYPE', 'must come from composeSkill'),
      isWorker &&
        execute !== undefined &&
        attributeIssue('execute', 'CLOSURE', 'cannot be sent to a worker; name a "module" and its "export" instead'),
      isWorker &&
        (execute ?? module) === undefined &&
        attributeIssue('module', 'REQUIRED', 'is required when "isolation" is worker'),
    ),
  ]
}

/** A timeout is given in seconds or in milliseconds. */
function timeoutIssues(skill: Record<string, unknown>): Issue[] {
  const [timeout, timeoutMs] = ['timeout', 'timeoutMs'].map((key) => getOwn(skill, key) ?? undefined)
  if (timeoutMs === undefined) return []
  // A completed skill has both, with the same value.
  if (timeout !== undefined && timeout !== Math.ceil(Number(timeoutMs) / 1000)) {
    return [attributeIssue('timeoutMs', 'EXCLUSIVE', 'replaces "timeout"; give only one of them')]
  }
  const most = SKILL_LIMITS.timeout.max * 1000
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= most) return []
  return [attributeIssue('timeoutMs', 'TYPE', `must be a number above 0, at most ${most}`, timeoutMs)]
}
