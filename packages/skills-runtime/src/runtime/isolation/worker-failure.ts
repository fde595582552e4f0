import type { MinionsError } from '@minions/core'
import { type SkillsErrorCode, skillsError } from '../../errors.js'

/** The failure of a skill whose worker thread died. */
export function workerFailure(skillName: string, error: unknown): MinionsError<SkillsErrorCode> {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const exitCode = /^worker exited with code: (-?\d+)$/.exec(String(message))?.[1]
  const details = { skill_name: skillName, ...(exitCode !== undefined && { exit_code: Number(exitCode) }) }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const text = `The skill "${skillName}" exceeded the memory limit of its worker thread; raise "maxHeapMb" or use less.`
    return skillsError('WORKER_OUT_OF_MEMORY', text, { details, cause: error })
  }
  if (exitCode !== undefined) {
    const text = `The skill "${skillName}" ended its worker thread with exit code ${exitCode}; return or throw instead.`
    return skillsError('WORKER_EXITED', text, { details, cause: error })
  }
  const text = `The skill "${skillName}" crashed its worker thread: ${String(message)}`
  return skillsError('WORKER_CRASHED', text, { details, cause: error })
}
