import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isMinionsError, messageOf } from '@minions/core'
import { getOwn, isRecord } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { describeIssues, type Issue } from '@minions/core/schema'
import { isAgentSkill, readAgentSkill } from '../agent-skills/agent-skill.js'
import { agentSkillAsSkills } from '../agent-skills/as-skills.js'
import { type CompositeDefinition, composeSkill } from '../composition/compose-skill.js'
import { completeSkill } from '../definition/complete-skill.js'
import type { CompleteSkill, Skill } from '../definition/skill.js'
import { validateSkill } from '../definition/validate-skill.js'
import { findSkillFiles, LOCK_FILE, MAX_SKILL_FILE_BYTES, type SkillFile } from './find-files.js'
import { importSkills } from './import-module.js'
import { parseJson, parseMarkdown, parseYaml } from './parse-document.js'
import { type LoadProblem, type LoadProblemCode, loadProblem, problemCode } from './problem.js'
import { type AcceptedFiles, readLock, unacceptedFiles } from './skills-lock.js'

export interface LoadOptions {
  /** Milliseconds that a module may take to load; 10,000 by default. */
  readonly moduleTimeoutMs?: number
  /** True if modules are loaded, which runs them; true. */
  readonly modules?: boolean
}

/** The content of a folder: its skills, and everything that could not be loaded. */
export interface LoadedSkills {
  readonly skills: readonly CompleteSkill[]
  readonly problems: readonly LoadProblem[]
}

const PARSERS = { yaml: parseYaml, json: parseJson, markdown: parseMarkdown } as const

/**
 * Loads the skills of a folder and its subfolders: folders of the Agent Skills standard, and YAML, JSON, `SKILL.md` and
 * modules in our own format. Never throws for what it finds there: whatever cannot be loaded is in `problems`. If the
 * folder has a `skills.lock`, a skill with a changed file is skipped. Pass the skills to `registerAll`.
 */
export const loadSkills = guarded('loadSkills', loadSkillsUnchecked)

async function loadSkillsUnchecked(dir: string, options: LoadOptions = {}): Promise<LoadedSkills> {
  const { files, problems: found } = await findSkillFiles(dir)
  const problems: LoadProblem[] = [...found]
  const skills = new Map<string, { skill: CompleteSkill; file: string }>()
  let accepted: AcceptedFiles | undefined
  try {
    accepted = await readLock(dir)
  } catch (error) {
    problems.push(loadProblem(join(dir, LOCK_FILE), 'NOT_ACCEPTED', `cannot be used: ${messageOf(error)}`))
    return { skills: [], problems }
  }
  for (const file of files) {
    if (options.modules === false && file.kind === 'module') continue
    for (const skill of await readSkills(dir, file, accepted, problems, options)) {
      const key = `${skill.name}@${skill.version}`
      const other = skills.get(key)
      if (other === undefined) skills.set(key, { skill, file: file.file })
      else problems.push(loadProblem(file.file, 'DUPLICATE', `defines ${key}, which ${other.file} already defines`))
    }
  }
  return { skills: [...skills.values()].map(({ skill }) => skill), problems }
}

async function readSkills(
  dir: string,
  file: SkillFile,
  accepted: AcceptedFiles | undefined,
  problems: LoadProblem[],
  { moduleTimeoutMs = 10_000 }: LoadOptions,
): Promise<CompleteSkill[]> {
  try {
    const unaccepted = accepted ? await unacceptedFiles(dir, file, accepted) : []
    if (unaccepted.length > 0) {
      const text = `has changed since it was accepted (${unaccepted.slice(0, 10).join(', ')}); review it, then lock the skills again`
      problems.push(loadProblem(file.file, 'NOT_ACCEPTED', text))
      return []
    }
    if (file.kind === 'module') return toSkills(await importSkills(file.real, moduleTimeoutMs), file, problems)
    const text = await readText(file)
    if (file.kind === 'markdown' && !isOwnForm(text)) return await readStandard(file, problems)
    return toSkills(PARSERS[file.kind](text), file, problems)
  } catch (error) {
    const code = problemCode(error) ?? (file.kind === 'module' ? 'MODULE_FAILED' : 'SYNTAX')
    problems.push(loadProblem(file.file, code, `cannot be loaded: ${messageOf(error)}`))
    return []
  }
}

async function readText({ real }: SkillFile): Promise<string> {
  const bytes = await readFile(real)
  if (bytes.length > MAX_SKILL_FILE_BYTES) throw new Error(`it is larger than ${MAX_SKILL_FILE_BYTES} bytes`)
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/** Only our own format declares parameters or steps in the front matter. */
function isOwnForm(text: string): boolean {
  try {
    const [head] = parseMarkdown(text)
    return isRecord(head) && ['parameters_schema', 'steps'].some((key) => Object.hasOwn(head, key))
  } catch {
    return false
  }
}

async function readStandard({ file }: SkillFile, problems: LoadProblem[]): Promise<CompleteSkill[]> {
  const read = await readAgentSkill(dirname(file))
  if (isAgentSkill(read)) return agentSkillAsSkills(read)
  const isUnreadable = read.some(({ pointer }) => pointer === '')
  problems.push(invalidSkill(file, read, isUnreadable ? 'SYNTAX' : 'INVALID_SKILL'))
  return []
}

function invalidSkill(file: string, errors: readonly Issue[], code: LoadProblemCode = 'INVALID_SKILL'): LoadProblem {
  return loadProblem(file, code, `is not a valid skill: ${describeIssues(errors, 'it')}`, errors)
}

function toSkills(candidates: readonly unknown[], file: SkillFile, problems: LoadProblem[]): CompleteSkill[] {
  if (candidates.length === 0) problems.push(loadProblem(file.file, 'NO_SKILLS', 'contains no skill'))
  return candidates.flatMap((candidate) => toSkill(candidate, file, problems) ?? [])
}

function toSkill(candidate: unknown, { file }: SkillFile, problems: LoadProblem[]): CompleteSkill | undefined {
  const invalid = (errors: readonly Issue[]) => {
    problems.push(invalidSkill(file, errors))
    return undefined
  }
  try {
    if (isComposite(candidate)) return composeSkill(candidate)
    const { valid, errors } = validateSkill(candidate)
    return valid ? completeSkill(candidate as Skill) : invalid(errors)
  } catch (error) {
    if (isMinionsError(error)) return invalid((error.details.errors as Issue[] | undefined) ?? [])
    throw error
  }
}

/** True for steps as written by hand, not the plan that `composeSkill` creates. */
function isComposite(candidate: unknown): candidate is CompositeDefinition {
  const steps = isRecord(candidate) ? getOwn(candidate, 'steps') : undefined
  return steps !== undefined && !(Array.isArray(steps) && steps.every(Array.isArray))
}
