import { quote } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import { describeIssues } from '@minions/core/schema'
import { contractsError } from '../errors.js'
import type { Artifact, StoredArtifact } from '../schemas/artifact.js'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import { type ArtifactProblem, problem } from '../validation/problem.js'

/**
 * Fills in the tenant and the actor from the envelope of the mission. Throws `ENVELOPE_MISMATCH` when the artifact has
 * other values or belongs to another mission. The given artifact is not changed.
 */
export const completeArtifact = guarded('completeArtifact', completeArtifactUnchecked)

function completeArtifactUnchecked<T extends Artifact | Artifact<string>>(
  artifact: T,
  envelope: MissionEnvelope,
): T & Pick<StoredArtifact, 'tenant_id' | 'actor_id'> {
  const errors = envelopeProblems(artifact, envelope)
  if (errors.length > 0) {
    const what = `A ${artifact.schema_name} is inconsistent with the envelope of mission ${envelope.mission_id}`
    throw contractsError('ENVELOPE_MISMATCH', `${what}: ${describeIssues(errors)}.`, { details: { errors } })
  }
  return { ...artifact, tenant_id: envelope.tenant_id, actor_id: envelope.actor_id }
}

const OWNERS = [
  ['tenant_id', 'TENANT_MISMATCH'],
  ['actor_id', 'ACTOR_MISMATCH'],
] as const

/** The differences between an artifact and the envelope of its mission. */
export function envelopeProblems(artifact: Artifact | Artifact<string>, envelope: MissionEnvelope): ArtifactProblem[] {
  const problems: ArtifactProblem[] = []
  if (artifact.mission_id !== envelope.mission_id) {
    const message = `belongs to mission ${artifact.mission_id}, whose envelope is missing`
    problems.push(problem('/mission_id', 'ORPHAN', message))
  }
  for (const [field, code] of OWNERS) {
    const given = artifact[field]
    if (given === undefined || given === envelope[field]) continue
    const message = `${quote(given)} differs from the envelope's ${quote(envelope[field])}`
    problems.push(problem(`/${field}`, code, message))
  }
  return problems
}
