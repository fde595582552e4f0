import { jsonEqual } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { issuesBelow } from '@minions/core/schema'
import { ArtifactRegistry } from '../registry/artifact-registry.js'
import type { Artifact } from '../schemas/artifact.js'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import type { Incoming } from '../store/incoming.js'
import { type ArtifactProblem, type CheckResult, problem } from '../validation/problem.js'
import { linkageProblems } from './linkage-problems.js'
import { MissionIndex } from './mission-index.js'

export interface ValidateMissionOptions {
  /** The registry of contracts. Default: the ten of this package. */
  readonly registry?: Pick<ArtifactRegistry, 'validate' | 'idOf'>
}

/**
 * Validates a whole mission, with its artifacts in any order: each against its contract, then the relations between
 * them. The pointer of a problem begins with the position of its artifact. Linear in the number of artifacts, apart
 * from sorting by time; never throws.
 */
export const validateMission = guarded('validateMission', validateMissionUnchecked)

function validateMissionUnchecked(artifacts: readonly unknown[], options: ValidateMissionOptions = {}): CheckResult {
  if (!Array.isArray(artifacts)) return result([problem('', 'TYPE', 'must be a list of artifacts')])
  const { registry = new ArtifactRegistry() } = options
  const problems: ArtifactProblem[] = []
  const entries: Incoming[] = []
  artifacts.forEach((value: unknown, index) => {
    const { valid, artifact, errors } = registry.validate(value)
    if (valid) entries.push({ artifact, id: registry.idOf(artifact), pointer: `/${index}` })
    else append(problems, `/${index}`, errors)
  })
  const envelope = entries.find(({ artifact }) => isEnvelope(artifact))?.artifact as MissionEnvelope | undefined
  if (!envelope) return result([...problems, ...orphans(entries)])
  const mission = new MissionIndex(envelope)
  const distinct = withoutRepetitions(entries, envelope, problems)
  for (const { artifact, id } of distinct) if (artifact.mission_id === envelope.mission_id) mission.add(artifact, id)
  for (const { artifact, pointer } of distinct) append(problems, pointer, linkageProblems(artifact, mission))
  return result(problems)
}

/** Skips exact duplicates and reports different content under an id that is taken. */
function withoutRepetitions(
  entries: readonly Incoming[],
  envelope: MissionEnvelope,
  problems: ArtifactProblem[],
): readonly Incoming[] {
  const { mission_id, tenant_id, actor_id } = envelope
  const same = (a: Artifact<string>, b: Artifact<string>) =>
    jsonEqual({ tenant_id, actor_id, ...a }, { tenant_id, actor_id, ...b })
  const seen = new Map<string, Artifact<string>>()
  return entries.filter(({ artifact, id, pointer }) => {
    // A second graph is a new revision.
    if (artifact.schema_name === 'mission_task_graph') return true
    const key = JSON.stringify(isEnvelope(artifact) ? [] : [artifact.mission_id, artifact.schema_name, id])
    const first = seen.get(key)
    if (first === undefined) {
      seen.set(key, artifact)
      return true
    }
    if (same(first, artifact)) return false
    if (isEnvelope(artifact))
      problems.push(problem(pointer, 'SECOND_ENVELOPE', `mission ${mission_id} already has an envelope`))
    else problems.push(problem(pointer, 'ID_CONFLICT', `another ${artifact.schema_name} already has the id ${id}`))
    return false
  })
}

function orphans(entries: readonly Incoming[]): ArtifactProblem[] {
  return [
    problem('', 'NO_ENVELOPE', 'the mission has no valid mission_envelope'),
    ...entries.map(({ artifact, pointer }) =>
      problem(`${pointer}/mission_id`, 'ORPHAN', `the envelope of mission ${artifact.mission_id} is missing`),
    ),
  ]
}

function isEnvelope(artifact: Artifact<string>): boolean {
  return artifact.schema_name === 'mission_envelope'
}

/** One by one, since a list can exceed the maximum number of call arguments. */
function append(problems: ArtifactProblem[], pointer: string, more: readonly ArtifactProblem[]): void {
  for (const each of issuesBelow(pointer, more)) problems.push(each)
}

function result(errors: readonly ArtifactProblem[]): CheckResult {
  return { valid: errors.length === 0, errors }
}
