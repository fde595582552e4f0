import type { RegisteredSkill, SkillRegistry } from '../registry/skill-registry.js'
import type { Skill } from '../skill/skill.js'

/** A skill that could not be registered, and why. */
export interface Unregistered {
  readonly skill: Skill
  readonly error: unknown
}

/** Registers as many skills as fit together: those that others lack, or that lack others, do not keep out the rest. */
export function registerFitting(registry: SkillRegistry, skills: readonly Skill[]): Unregistered[] {
  try {
    registry.registerAll(skills)
    return []
  } catch {
    return registerOneByOne(registry, skills)
  }
}

function registerOneByOne(registry: SkillRegistry, skills: readonly Skill[]): Unregistered[] {
  let left = [...skills]
  for (;;) {
    const refused: Unregistered[] = []
    for (const skill of left) {
      const error = tryRegister(registry, skill)
      if (error !== undefined) refused.push({ skill, error })
    }
    if (refused.length === left.length) return refused
    left = refused.map(({ skill }) => skill)
    if (left.length === 0) return []
  }
}

function tryRegister(registry: SkillRegistry, skill: Skill): unknown {
  try {
    registry.registerSkill(skill)
    return undefined
  } catch (error) {
    return error
  }
}

/** Every version of every skill. */
export function* allVersions(registry: SkillRegistry): Generator<RegisteredSkill> {
  for (const { name } of registry.listSkills()) {
    for (const version of registry.listVersions(name)) yield registry.getSkill(name, version)
  }
}
