import { messageOf } from '@minions/core'
import { dependencyOrder } from '@minions/core/coordination'
import { getOwn, isRecord, type JsonObject } from '@minions/core/json'
import { skillsError } from '../../errors.js'
import { stepSkills } from '../../skills/composition/compose-skill.js'
import type { Skill } from '../../skills/definition/skill.js'
import { cycleError, type RegisteredSkill, type SkillRegistry } from '../../skills/registry/skill-registry.js'
import { assertValid, attributeIssue } from '../../validation.js'
import { completeParameters } from '../engine/check-skill.js'
import type { ParametersOf, RunStep } from '../engine/run-plan.js'
import type { RunRecord } from '../state/records.js'

/** Parameters by skill name; a function creates them from the results so far when it is the skill's turn. */
export type ChainParams = Readonly<Record<string, object | ParametersOf>>

/** The version given, of a skill by name the highest otherwise. Throws `NOT_FOUND`. */
export function findSkill(registry: SkillRegistry, skill: string | Skill, version?: string): RegisteredSkill {
  if (typeof skill !== 'object' || skill === null) return registry.getSkill(skill, version)
  return registry.getSkill(skill.name, version ?? skill.version)
}

/** A run of one skill. Throws `NOT_FOUND` or `VALIDATION_FAILED`. */
export function planSingle(skill: RegisteredSkill, params: unknown): RunStep[] {
  return [{ skill, parameters: completeParameters(skill, params) }]
}

/** A run of a skill after its dependencies. Everything that can be checked is checked before anything runs. */
export function planChain(registry: SkillRegistry, skill: RegisteredSkill, params: ChainParams = {}): RunStep[] {
  if (!isRecord(params)) assertValid('The parameters of a chain', [notByName('', 'must be an object by skill name')])
  const skills = chainOf(registry, skill)
  const unknown = Object.keys(params).filter((name) => !skills.some((each) => each.name === name))
  assertValid(
    `The parameters of the chain of "${skill.name}"`,
    unknown.map((name) => notByName(name, 'names a skill that is not in the chain')),
  )
  return skills.map((each, index) => ({
    skill: each,
    parameters: planParameters(each, getOwn(params, each.name), index),
  }))
}

/** The steps of a run that another process began; completed ones need no code. */
export function planAgain(registry: SkillRegistry, record: RunRecord, params: ChainParams = {}): RunStep[] {
  const { steps, position } = record
  const missing = steps.filter(
    ({ parameters, skill_name }, index) =>
      index > position && parameters == null && getOwn(params, skill_name) === undefined,
  )
  assertValid(
    'The resume',
    missing.map(({ skill_name }) =>
      notByName(skill_name, 'is needed: its parameters were given as a function, which could not be stored'),
    ),
  )
  return steps.map(({ skill_name, skill_version, parameters }, index) => {
    // Of a completed one, only name and version are needed.
    const done = { name: skill_name, version: skill_version } as RegisteredSkill
    if (index < position) return { skill: done, parameters: {} }
    const skill = registry.getSkill(skill_name, skill_version)
    const stored = parameters as JsonObject | null | undefined
    return { skill, parameters: stored ?? planParameters(skill, getOwn(params, skill_name), index) }
  })
}

/** The steps of a composed skill are run by it, so in a chain they are not run before it as well. */
function chainOf(registry: SkillRegistry, skill: RegisteredSkill): RegisteredSkill[] {
  const latest = (name: string) => (name === skill.name ? skill : registry.getSkill(name))
  const dependenciesOf = (name: string) => {
    const { dependencies, steps } = latest(name)
    if (steps === undefined) return dependencies
    const run = new Set(stepSkills(steps))
    return dependencies.filter((each) => !run.has(each))
  }
  const { order, cycle } = dependencyOrder([skill.name], dependenciesOf)
  if (cycle !== undefined) throw cycleError(cycle)
  return order.map(latest)
}

function planParameters(skill: RegisteredSkill, given: unknown, index: number): JsonObject | ParametersOf {
  if (typeof given !== 'function') return completeParameters(skill, given)
  if (index > 0) return given as ParametersOf
  // The first has no results to wait for, so that invalid parameters are found before anything runs.
  return completeParameters(skill, callWithoutResults(skill, given as ParametersOf))
}

function callWithoutResults(skill: RegisteredSkill, make: ParametersOf): object {
  try {
    return make({})
  } catch (error) {
    const message = `The parameters of "${skill.name}" cannot be created: ${messageOf(error)}`
    throw skillsError('VALIDATION_FAILED', message, { cause: error })
  }
}

function notByName(name: string, problem: string) {
  return attributeIssue(name, 'PARAMS', problem)
}
