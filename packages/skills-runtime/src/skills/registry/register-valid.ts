import type { Skill } from '../definition/skill.js'
import type { RegisteredSkill, SkillRegistry } from './skill-registry.js'

/** A skill that could not be registered, and why. */
export interface RefusedSkill {
  readonly skill: Skill
  readonly error: unknown
}

/** Registers all valid skills; one that lacks a dependency does not block the others. */
export function registerValid(registry: SkillRegistry, skills: readonly Skill[]): RefusedSkill[] {
  try {
    registry.registerAll(skills)
    return []
  } catch {
    return registerOneByOne(registry, skills)
  }
}

function registerOneByOne(registry: SkillRegistry, skills: readonly Skill[]): RefusedSkill[] {
  let remaining = [...skills]
  for (;;) {
    const refused: RefusedSkill[] = []
    for (const skill of remaining) {
      try {
        registry.registerSkill(skill)
      } catch (error) {
        refused.push({ skill, error })
      }
    }
    if (refused.length === remaining.length) return refused
    remaining = refused.map(({ skill }) => skill)
    if (remaining.length === 0) return []
  }
}

export function* allVersions(registry: SkillRegistry): Generator<RegisteredSkill> {
  for (const { name } of registry.listSkills()) {
    for (const version of registry.listVersions(name)) yield registry.getSkill(name, version)
  }
}
