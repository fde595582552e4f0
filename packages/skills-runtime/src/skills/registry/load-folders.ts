import { realpath } from 'node:fs/promises'
import { messageOf } from '@minions/core'
import type { Logger } from '@minions/core/plugin'
import { isDigestVersion } from '../agent-skills/agent-skill.js'
import { type CompleteSkill, isRunnable } from '../definition/skill.js'
import { isInside } from '../loading/find-files.js'
import { type LoadedSkills, loadSkills } from '../loading/load-skills.js'
import { type LoadProblem, loadProblem } from '../loading/problem.js'
import { registerValid } from './register-valid.js'
import type { SkillRegistry } from './skill-registry.js'

/** Folders to load skills from. Modules in discovered folders are not run, because no one named them. */
export interface SkillFolders {
  readonly load?: readonly string[]
  readonly discover?: readonly string[]
}

/**
 * Loads folders into the registry. A skill that cannot be registered is a problem like one that cannot be loaded. Given
 * folders take precedence over discovered ones, which may be the same.
 */
export async function loadFolders(
  registry: SkillRegistry,
  { load = [], discover = [] }: SkillFolders,
  log: Logger,
): Promise<LoadedSkills> {
  const problems: LoadProblem[] = []
  const found: CompleteSkill[] = []
  const fileOf = new Map<string, string>()
  const given = new Set<string>()
  const folders = [
    ...load.map((folder) => ({ folder, modules: true })),
    ...discover.map((folder) => ({ folder, modules: false })),
  ]
  for (const { folder, modules } of folders) {
    const loaded = await loadSkills(folder, { modules })
    for (const problem of loaded.problems) {
      if (problem.code !== 'OUTSIDE' || !(await leadsInto(folders, problem.file))) problems.push(problem)
    }
    for (const skill of loaded.skills) {
      const key = `${skill.name}@${skill.version}`
      if (!modules && given.has(key)) continue
      if (modules) given.add(key)
      found.push(skill)
      fileOf.set(key, folder)
    }
  }
  const known = found.filter((skill) => isRunnable(skill) || !registry.hasSkill(skill.name, skill.version))
  const refused = registerValid(registry, known)
  for (const skill of found) retireOlderContent(registry, skill)
  for (const { skill, error } of refused) {
    const where = fileOf.get(`${skill.name}@${skill.version}`) ?? ''
    const text = `has the skill "${skill.name}", which was not registered: ${messageOf(error)}`
    problems.push(loadProblem(where, 'INVALID_SKILL', text))
  }
  for (const problem of problems) log.warn('a skill was not loaded', { ...problem })
  const unregistered = new Set<unknown>(refused.map(({ skill }) => skill))
  return { skills: found.filter((skill) => !unregistered.has(skill)), problems }
}

/** True if a link leads into one of the folders, which contains the skill itself. */
async function leadsInto(folders: readonly { readonly folder: string }[], link: string): Promise<boolean> {
  const target = await realpath(link).catch(() => undefined)
  if (target === undefined) return false
  for (const { folder } of folders) {
    const root = await realpath(folder).catch(() => undefined)
    if (root !== undefined && isInside(root, target)) return true
  }
  return false
}

/** A digest version stands for the current content of the folder, so other digest versions are removed. */
function retireOlderContent(registry: SkillRegistry, { name, version }: CompleteSkill): void {
  if (!isDigestVersion(version) || !registry.hasSkill(name, version)) return
  for (const other of registry.listVersions(name)) {
    if (other !== version && isDigestVersion(other)) registry.unregister(name, other)
  }
}
