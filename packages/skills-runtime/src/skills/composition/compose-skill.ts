import { deepFreeze, isRecord } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { assertValid, attributeIssue, skillTitle } from '../../validation.js'
import { completeSkill } from '../definition/complete-skill.js'
import type { CompleteSkill, Skill } from '../definition/skill.js'
import { validateSkill } from '../definition/validate-skill.js'
import { checkReferences } from './check-references.js'
import { planSteps } from './plan-steps.js'
import type { CompositePlan, ParallelSteps, SkillStep } from './step.js'

/** Input for a skill composed of other skills. */
export interface CompositeDefinition
  extends Partial<Omit<Skill, 'name' | 'steps' | 'execute' | 'parameters_schema' | 'returns_schema'>> {
  readonly name: string
  /** `1.0.0` by default. */
  readonly version?: string
  /** Any object by default. */
  readonly parameters_schema?: object
  readonly returns_schema?: object
  readonly steps: readonly (SkillStep | ParallelSteps)[]
}

/** A composed skill: a skill like any other, with a plan instead of code. */
export type CompositeSkill = CompleteSkill & { readonly steps: CompositePlan }

/**
 * Composes a skill from others. The skills of its steps and fallbacks become its dependencies, so that the registry
 * checks that they exist and form no cycle. Throws `VALIDATION_FAILED` for invalid steps or references.
 */
export const composeSkill = guarded('composeSkill', (definition: CompositeDefinition): CompositeSkill => {
  if (!isRecord(definition)) assertValid('The skill', [attributeIssue('', 'TYPE', 'must be an object')])
  const { steps, version = '1.0.0', parameters_schema = { type: 'object' }, ...rest } = definition
  const { plan, errors } = planSteps(steps)
  const what = skillTitle(definition)
  assertValid(what, errors)
  assertValid(what, checkReferences(plan, { params: parameters_schema }))
  const dependencies = [...new Set([...(definition.dependencies ?? []), ...stepSkills(plan)])]
  const skill = { ...rest, version, parameters_schema, dependencies, steps: deepFreeze(plan) } as Skill
  assertValid(what, validateSkill(skill).errors)
  return completeSkill(skill) as CompositeSkill
})

/** The names of all skills that a plan may run, each once. */
export function stepSkills(plan: CompositePlan): string[] {
  const names = plan.flat().flatMap(({ skill, onError }) => ('skill' in onError ? [skill, onError.skill] : [skill]))
  return [...new Set(names)]
}
