import { readFile } from 'node:fs/promises'
import { isMinionsError } from '@minions/core'
import { type CompositeDefinition, composeSkill } from '../compose/compose-skill.js'
import { completeSkill } from '../skill/complete-skill.js'
import type { CompleteSkill, Skill } from '../skill/skill.js'
import { validateSkill } from '../skill/validate-skill.js'
import { isRecord, own, type ValidationIssue } from '../validation.js'
import { findSkillFiles, MAX_SKILL_FILE_BYTES, type SkillFile } from './find-files.js'
import { importSkills } from './import-module.js'
import { parseJson, parseMarkdown, parseYaml } from './parse-document.js'
import { type LoadProblem, loadProblem, reason } from './problem.js'

export interface LoadOptions {
  /** How long a module may take to load, in milliseconds; 10,000 unless it says otherwise. */
  readonly moduleTimeoutMs?: number
}

/** What a folder held: the skills, and everything that did not become one. */
export interface LoadedSkills {
  readonly skills: readonly CompleteSkill[]
  readonly problems: readonly LoadProblem[]
}

const PARSERS = { yaml: parseYaml, json: parseJson, markdown: parseMarkdown } as const

/**
 * Loads the skills of a folder and its subfolders from YAML, JSON, `SKILL.md` folders and modules. Never throws for
 * what it finds there: whatever cannot be loaded is in `problems`. Pass the skills to `registerAll`.
 */
export async function loadSkills(dir: string, options: LoadOptions = {}): Promise<LoadedSkills> {
  const { files, problems: found } = await findSkillFiles(dir)
  const problems: LoadProblem[] = [...found]
  const skills = new Map<string, { skill: CompleteSkill; file: string }>()
  for (const file of files) {
    for (const candidate of await readCandidates(file, problems, options.moduleTimeoutMs ?? 10_000)) {
      const skill = toSkill(candidate, file, problems)
      if (skill === undefined) continue
      const key = `${skill.name}@${skill.version}`
      const other = skills.get(key)
      if (other === undefined) skills.set(key, { skill, file: file.file })
      else problems.push(loadProblem(file.file, 'DUPLICATE', `${key} is already defined by ${other.file}.`))
    }
  }
  return { skills: [...skills.values()].map(({ skill }) => skill), problems }
}

async function readCandidates(file: SkillFile, problems: LoadProblem[], timeoutMs: number): Promise<unknown[]> {
  try {
    const candidates = file.kind === 'module' ? await importSkills(file.real, timeoutMs) : await parseFile(file)
    if (candidates.length === 0) problems.push(loadProblem(file.file, 'NO_SKILLS', 'It holds no skill.'))
    return candidates
  } catch (error) {
    const code = file.kind === 'module' ? 'MODULE_FAILED' : 'SYNTAX'
    problems.push(loadProblem(file.file, code, reason(error)))
    return []
  }
}

async function parseFile({ real, kind }: SkillFile & { kind: string }): Promise<unknown[]> {
  const bytes = await readFile(real)
  if (bytes.length > MAX_SKILL_FILE_BYTES) throw new Error(`It is larger than ${MAX_SKILL_FILE_BYTES} bytes.`)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  return PARSERS[kind as keyof typeof PARSERS](text)
}

function toSkill(candidate: unknown, { file }: SkillFile, problems: LoadProblem[]): CompleteSkill | undefined {
  const invalid = (errors: readonly ValidationIssue[]) => {
    const text = errors.map(({ message }) => message).join(' ')
    problems.push(loadProblem(file, 'INVALID_SKILL', `The skill is not valid: ${text}`, errors))
    return undefined
  }
  try {
    if (isRecord(candidate) && isWrittenSteps(own(candidate, 'steps'))) {
      return composeSkill(candidate as unknown as CompositeDefinition)
    }
    const { valid, errors } = validateSkill(candidate)
    return valid ? completeSkill(candidate as Skill) : invalid(errors)
  } catch (error) {
    if (isMinionsError(error)) return invalid((error.details.errors as ValidationIssue[] | undefined) ?? [])
    throw error
  }
}

/** Steps as a person writes them, not the plan that `composeSkill` makes of them. */
function isWrittenSteps(steps: unknown): boolean {
  return steps !== undefined && !(Array.isArray(steps) && steps.every(Array.isArray))
}
