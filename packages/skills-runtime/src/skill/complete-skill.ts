import { copyJson, setOwn } from '@minions/core'
import { compileSchema } from '../schema/compile-schema.js'
import { assertValid, attributeIssue, deepFreeze, isRecord } from '../validation.js'
import { type CompleteSkill, RUNTIME_KEYS, type Skill } from './skill.js'
import { SKILL_LIMITS, type SkillRecord } from './skill-schema.js'

const runtimeKeys: ReadonlySet<string> = new Set(RUNTIME_KEYS)

/**
 * A frozen copy of a valid skill with the defaults filled in. The record and its schemas share nothing with what was
 * passed in, so changing that later changes nothing here.
 */
export function completeSkill<Params, Result>(skill: Skill<Params, Result>): CompleteSkill<Params, Result> {
  const record = {
    ...skillRecord(skill),
    timeout: skill.timeout ?? SKILL_LIMITS.timeout.default,
    max_retries: skill.max_retries ?? SKILL_LIMITS.max_retries.default,
    dependencies: [...(skill.dependencies ?? [])],
    tags: [...(skill.tags ?? [])],
  }
  deepFreeze(record)
  const result: Record<string, unknown> = { ...record }
  for (const key of RUNTIME_KEYS) {
    const value = skill[key]
    if (value !== undefined) result[key] = value
  }
  return Object.freeze(result) as unknown as CompleteSkill<Params, Result>
}

/** The record of a skill: its attributes without code and options. Attributes that are null are left out. */
export function skillRecord(skill: object): SkillRecord {
  if (!isRecord(skill)) assertValid('The skill', [attributeIssue('', 'TYPE', 'A skill must be an object.')])
  const record: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(skill)) {
    if (value === null || value === undefined || runtimeKeys.has(key)) continue
    setOwn(record, key, key.endsWith('_schema') ? compileSchema(value).schema : copyJson(value, `"${key}"`))
  }
  return record as unknown as SkillRecord
}
