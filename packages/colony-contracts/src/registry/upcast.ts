import { copyJson, isRecord, setOwn } from '@minions/core/json'
import { describeIssues } from '@minions/core/schema'
import { contractsError } from '../errors.js'
import type { Artifact } from '../schemas/artifact.js'
import { RootMetadataSchema } from '../schemas/root-metadata.js'
import type { ArtifactProblem } from '../validation/problem.js'
import type { RegisteredKind, Upcaster } from './artifact-kind.js'

/** Fields that no upcaster changes: identity, ownership and origin. */
const { schema_version: _, ...kept } = RootMetadataSchema.properties

/** Applies one upcaster to a copy, keeps the root metadata, and carries over fields unknown to the old contract. */
export function upcastOnce(
  artifact: Artifact<string>,
  { fields }: Pick<RegisteredKind, 'fields'>,
  step: { readonly to: string; readonly upcast: Upcaster },
): object {
  const result = call(artifact, step)
  const next: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(result)) setOwn(next, key, value)
  for (const [key, value] of Object.entries(artifact)) {
    if (!fields.has(key) && !Object.hasOwn(next, key)) setOwn(next, key, value)
  }
  for (const key of Object.keys(kept)) if (Object.hasOwn(artifact, key)) next[key] = artifact[key]
  next.schema_version = step.to
  return next
}

function call(artifact: Artifact<string>, { to, upcast }: { to: string; upcast: Upcaster }): object {
  try {
    const result = upcast(copyJson(artifact))
    if (isRecord(result)) return result
  } catch (cause) {
    throw upcastError(artifact, to, 'its upcaster threw', { cause })
  }
  throw upcastError(artifact, to, 'its upcaster must return an object')
}

export function upcastError(
  { schema_name, schema_version: from }: Artifact<string>,
  to: string,
  why: string,
  { errors = [], cause }: { readonly errors?: readonly ArtifactProblem[]; readonly cause?: unknown } = {},
): Error {
  const first = errors.length > 0 ? `: ${describeIssues(errors, 'it', 1)}` : ''
  const options = { details: { schema_name, from, to, errors }, ...(cause !== undefined && { cause }) }
  return contractsError('UPCAST_FAILED', `${schema_name} ${from} cannot become ${to}: ${why}${first}.`, options)
}
