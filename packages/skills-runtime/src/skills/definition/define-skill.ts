import { guarded } from '@minions/core/plugin'
import { assertValid, attributeIssue, skillTitle } from '../../validation.js'
import { completeSkill } from './complete-skill.js'
import type { InferResult, InferSchema } from './infer.js'
import { type CompleteSkill, isRunnable, type Skill, type SkillOptions } from './skill.js'
import type { SkillContext } from './skill-context.js'
import type { SkillRecord } from './skill-schema.js'
import { validateSkill } from './validate-skill.js'

/** Input of `defineSkill`: the record, and the code or its module. */
export interface SkillDefinition<Parameters extends object, Returns extends object | undefined>
  extends Omit<SkillRecord, 'parameters_schema' | 'returns_schema'>,
    SkillOptions {
  /** JSON Schema of the parameters, from typebox 1.x, `@sinclair/typebox` or by hand. */
  readonly parameters_schema: Parameters
  /** JSON Schema of the result; any object by default. */
  readonly returns_schema?: Returns
  execute?(params: InferSchema<Parameters>, context: SkillContext): Promise<InferResult<Returns>> | InferResult<Returns>
}

/**
 * Defines a skill. The types of parameters and result follow from the schemas when they are built with TypeBox; where
 * the result is a literal, return it `as const`. Throws `VALIDATION_FAILED` listing every attribute that breaks a rule;
 * the returned skill is frozen and has its defaults filled in.
 */
export const defineSkill = guarded('defineSkill', defineSkillUnchecked)

function defineSkillUnchecked<Parameters extends object, Returns extends object | undefined = undefined>(
  definition: SkillDefinition<Parameters, Returns>,
): CompleteSkill<InferSchema<Parameters>, InferResult<Returns>> {
  const what = skillTitle(definition)
  assertValid(what, validateSkill(definition).errors)
  // Through `unknown`, because comparing the two types costs the compiler a million instantiations.
  const skill = definition as unknown as Skill<InferSchema<Parameters>, InferResult<Returns>>
  if (!isRunnable(skill as Skill)) {
    assertValid(what, [attributeIssue('execute', 'REQUIRED', 'is required for a skill defined in code')])
  }
  return completeSkill(skill)
}
