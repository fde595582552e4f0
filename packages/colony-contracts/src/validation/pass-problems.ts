import { instantOf } from '../mission/time.js'
import type { LibrarianPass } from '../schemas/librarian-pass.js'
import { type ArtifactProblem, problem } from './problem.js'

/**
 * What a schema cannot say of a librarian pass, in whatever version: it must be worth something when it is created. Both
 * times must have passed their pattern. Other artifacts have no problems here.
 */
export function passProblems(artifact: object): ArtifactProblem[] {
  const { schema_name, created_at, expires_at } = artifact as LibrarianPass
  if (schema_name !== 'librarian_pass' || instantOf(expires_at) > instantOf(created_at)) return []
  return [problem('/expires_at', 'EXPIRED_WHEN_CREATED', `must be after created_at, which is ${created_at}`)]
}
