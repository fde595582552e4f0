import { quote } from '@minions/core'
import { cloneJson } from '@minions/core/json'
import { describeIssues, issuesBelow } from '@minions/core/schema'
import { contractsError } from '../errors.js'
import type { Artifact } from '../schemas/artifact.js'
import type { ArtifactProblem } from '../validation/problem.js'
import type { StoreParts } from './mission-state.js'

/** An artifact to be stored: valid, and a copy that its sender can no longer change. */
export interface Incoming {
  readonly artifact: Artifact<string>
  readonly id: string
  /** Prefix of its problem pointers: empty for one artifact, its position among many. */
  readonly pointer: string
}

/** Validates artifacts against their contracts. Throws `INVALID_ARTIFACT` with all problems, or `KIND_NOT_STORED`. */
export function readIncoming(
  values: readonly unknown[],
  { registry, kinds }: StoreParts,
  pointerOf: (index: number) => string = () => '',
): Incoming[] {
  const problems: ArtifactProblem[] = []
  const incoming: Incoming[] = []
  values.forEach((value, index) => {
    const { valid, artifact, errors } = registry.validate(value)
    const pointer = pointerOf(index)
    if (valid) incoming.push({ artifact: cloneJson(artifact), id: registry.idOf(artifact), pointer })
    // One by one, since a list can exceed the maximum number of call arguments.
    else for (const each of issuesBelow(pointer, errors)) problems.push(each)
  })
  if (problems.length > 0) throw invalid('INVALID_ARTIFACT', 'violates its contract', problems)
  for (const { artifact } of incoming) {
    if (artifact.schema_name === 'mission_task_graph' || kinds.has(artifact.schema_name)) continue
    const message = `The store has no collection for ${quote(artifact.schema_name)}; add it to the \`kinds\` of the store.`
    throw contractsError('KIND_NOT_STORED', message, { details: { schema_name: artifact.schema_name } })
  }
  return incoming
}

export function invalid(
  code: 'INVALID_ARTIFACT' | 'LINKAGE_VIOLATION',
  what: string,
  errors: readonly ArtifactProblem[],
): Error {
  const message = `An artifact ${what} and was not stored: ${describeIssues(errors, 'it', 1)}.`
  return contractsError(code, message, { details: { errors } })
}
