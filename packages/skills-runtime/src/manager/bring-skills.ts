import type { Logger } from '@minions/core'
import { type LoadedSkills, loadSkills } from '../loading/load-skills.js'
import { type LoadProblem, loadProblem, reason } from '../loading/problem.js'
import type { SkillRegistry } from '../registry/skill-registry.js'
import type { CompleteSkill } from '../skill/skill.js'
import { registerFitting } from './register-fitting.js'

/** Loads folders into the registry. What cannot be registered is a problem like what cannot be loaded. */
export async function bringSkills(
  registry: SkillRegistry,
  folders: readonly string[],
  log: Logger,
): Promise<LoadedSkills> {
  const problems: LoadProblem[] = []
  const found: CompleteSkill[] = []
  const fileOf = new Map<string, string>()
  for (const folder of folders) {
    const loaded = await loadSkills(folder)
    problems.push(...loaded.problems)
    found.push(...loaded.skills)
    for (const { name, version } of loaded.skills) fileOf.set(`${name}@${version}`, folder)
  }
  const known = found.filter(({ name, version, execute, steps, module }) => {
    const hasCode = execute !== undefined || steps !== undefined || module !== undefined
    return hasCode || !registry.hasSkill(name, version)
  })
  const refused = registerFitting(registry, known)
  for (const { skill, error } of refused) {
    const where = fileOf.get(`${skill.name}@${skill.version}`) ?? ''
    problems.push(loadProblem(where, 'INVALID_SKILL', `The skill "${skill.name}" was not registered: ${reason(error)}`))
  }
  for (const problem of problems) log.warn('a skill was not loaded', { ...problem })
  const left = new Set<unknown>(refused.map(({ skill }) => skill))
  return { skills: found.filter((skill) => !left.has(skill)), problems }
}
