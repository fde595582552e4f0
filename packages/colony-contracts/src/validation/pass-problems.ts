import { instantOf } from '../mission/time.js'
import type { LibrarianPass } from '../schemas/librarian-pass.js'
import { type ArtifactProblem, problem } from './problem.js'

/**
 * The rule for a librarian pass that a schema cannot express, in any version: it must not have expired when it is
 * created. Both times must match their pattern. Other artifacts have no problems here.
 */
export function passProblems(artifact: object): ArtifactProblem[] {
  const { schema_name, created_at, expires_at } = artifact as LibrarianPass
  if (schema_name !== 'librarian_pass' || instantOf(expires_at) > instantOf(created_at)) return []
  return [problem('/expires_at', 'EXPIRED_WHEN_CREATED', `must be after created_at, which is ${created_at}`)]
}
