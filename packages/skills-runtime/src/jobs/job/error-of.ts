import { messageOf } from '@minions/core'
import type { JobError } from './job-schema.js'

/** What is recorded of an error that a worker did not expect. */
export function errorOf(error: unknown): JobError {
  const code = (error as { code?: unknown } | null)?.code
  return { code: typeof code === 'string' ? code : 'SKILL_FAILED', message: messageOf(error).slice(0, 10_000) }
}
