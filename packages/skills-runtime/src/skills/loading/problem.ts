import { isMinionsError } from '@minions/core'
import type { Issue } from '@minions/core/schema'
import { type SkillsErrorCode, skillsError } from '../../errors.js'

/** Why something in a folder of skills did not become a skill. */
export const LOAD_PROBLEM_CODES = {
  UNREADABLE: 'The file or folder cannot be read, or is neither a file nor a folder.',
  TOO_LARGE: 'The file is too large, or the folder too deep or too full.',
  OUTSIDE: 'A symbolic link leads out of the folder.',
  UNSUPPORTED: 'The kind of file is not one that skills are loaded from.',
  SYNTAX: 'The file is not valid YAML, JSON, UTF-8 or front matter.',
  MODULE_FAILED: 'The module threw, or did not finish loading in time.',
  NO_SKILLS: 'The file contains no skill.',
  INVALID_SKILL: 'A skill breaks a rule; `errors` says which.',
  NOT_ACCEPTED: 'The file is new or has changed since the skills were locked; review it, then lock them again.',
  DUPLICATE: 'Another file has the same name and version.',
}
export type LoadProblemCode = keyof typeof LOAD_PROBLEM_CODES

/** One thing that was not loaded, and why: an issue of the whole file or folder, whose name its message continues. */
export interface LoadProblem extends Issue<LoadProblemCode> {
  readonly file: string
  /** For `INVALID_SKILL`: every rule that is broken. */
  readonly errors?: readonly Issue[]
}

export function loadProblem(
  file: string,
  code: LoadProblemCode,
  message: string,
  errors?: readonly Issue[],
): LoadProblem {
  return { file, pointer: '', code, message, ...(errors && { errors }) }
}

/** An error that becomes a problem with this code. */
export function refusedFile(code: LoadProblemCode, message: string) {
  return skillsError('RESOURCE_REFUSED', message, { details: { problem: code } })
}

export function problemCode(error: unknown): LoadProblemCode | undefined {
  if (!isMinionsError<SkillsErrorCode>(error, 'RESOURCE_REFUSED')) return undefined
  const codes = Object.keys(LOAD_PROBLEM_CODES) as LoadProblemCode[]
  return codes.find((code) => code === error.details.problem)
}
