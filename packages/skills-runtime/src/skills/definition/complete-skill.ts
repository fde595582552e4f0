import { copyJson, deepFreeze, isRecord, setOwn } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { compileSchema } from '@minions/core/schema'
import { assertValid, attributeIssue } from '../../validation.js'
import { type CompleteSkill, RUNTIME_KEYS, type Skill } from './skill.js'
import { SKILL_LIMITS, type SkillRecord } from './skill-schema.js'

const runtimeKeys: ReadonlySet<string> = new Set(RUNTIME_KEYS)

/**
 * A frozen copy of a valid skill with the defaults filled in. The record and its schemas are copies, so changing the
 * input later has no effect.
 */
export function completeSkill<Params, Result = object>(skill: Skill<Params, Result>): CompleteSkill<Params, Result> {
  const record = {
    ...skillRecord(skill),
    timeout: secondsOf(skill) ?? SKILL_LIMITS.timeout.default,
    max_retries: skill.max_retries ?? SKILL_LIMITS.max_retries.default,
    dependencies: [...(skill.dependencies ?? [])],
    tags: [...(skill.tags ?? [])],
  }
  deepFreeze(record)
  const runtime = Object.fromEntries(
    RUNTIME_KEYS.flatMap((key) => (skill[key] === undefined ? [] : [[key, skill[key]]])),
  )
  return Object.freeze({ ...record, ...(runtime as Pick<Skill<Params, Result>, (typeof RUNTIME_KEYS)[number]>) })
}

/** The timeout as stored in records. */
function secondsOf({ timeout, timeoutMs }: Pick<Skill, 'timeout' | 'timeoutMs'>): number | undefined {
  return timeoutMs === undefined ? timeout : Math.ceil(timeoutMs / 1000)
}

/** The record of a skill: its attributes without code and options. Null attributes are omitted. */
export const skillRecord = guarded('skillRecord', (skill: object): SkillRecord => {
  if (!isRecord(skill)) assertValid('The skill', [attributeIssue('', 'TYPE', 'must be an object')])
  const record: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(skill)) {
    if (value === null || value === undefined || runtimeKeys.has(key)) continue
    setOwn(record, key, key.endsWith('_schema') ? compileSchema(value).schema : copyJson(value, `"${key}"`))
  }
  return record as SkillRecord
})
