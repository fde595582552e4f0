import { messageOf } from '@minions/core'
import type { JobError } from './job-schema.js'

/** The recorded form of an unexpected error. */
export function errorOf(error: unknown): JobError {
  const code = (error as { code?: unknown } | null)?.code
  return { code: typeof code === 'string' ? code : 'SKILL_FAILED', message: messageOf(error).slice(0, 10_000) }
}
