import { guarded } from '@minions/core/plugin'
import { ArtifactRegistry } from '../registry/artifact-registry.js'
import type { Artifact, ArtifactName } from '../schemas/artifact.js'
import type { ValidationResult } from './validation-result.js'

/** The ten contracts; never exposed, so it cannot be extended. Plugins add kinds to their own registry. */
const contracts = new ArtifactRegistry()

/**
 * Validates a value against the contract named by its `schema_name` and `schema_version`. Never throws and lists every
 * problem. The artifact is the value itself, or a plain copy when that is not plain JSON; `schema_name` narrows its
 * type.
 */
export function validateArtifact(value: unknown): ValidationResult<Artifact> {
  return contracts.validate(value) as ValidationResult<Artifact>
}

/** `validateArtifact` for JSON text; text that is not JSON is a problem with the code `BAD_JSON`. */
export const parseArtifact = guarded('parseArtifact', parseArtifactUnchecked)

function parseArtifactUnchecked(text: string): ValidationResult<Artifact> {
  return contracts.parse(text) as ValidationResult<Artifact>
}

/** True for a valid artifact, optionally of one kind. */
export const isArtifact = guarded('isArtifact', isArtifactUnchecked, { checksInside: false })

function isArtifactUnchecked<Name extends ArtifactName = ArtifactName>(
  value: unknown,
  name?: Name,
): value is Artifact<Name> {
  const result = validateArtifact(value)
  return result.valid && (name === undefined || result.artifact.schema_name === name)
}
