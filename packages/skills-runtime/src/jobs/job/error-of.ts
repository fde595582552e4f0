import { messageOf } from '@minions/core'
import type { JobError } from './job-schema.js'

export function errorOf(error: unknown): JobError {
  const code = (error as { code?: unknown } | null)?.code
  return { code: typeof code === 'string' ? code : 'SKILL_FAILED', message: messageOf(error).slice(0, 10_000) }
}
