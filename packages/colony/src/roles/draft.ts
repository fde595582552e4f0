import { createHash } from 'node:crypto'
import {
  ARTIFACT_ID_FIELDS,
  type Artifact,
  type ArtifactName,
  type MissionEnvelope,
  type RootMetadata,
  type StoredArtifact,
} from '@minions/colony-contracts'
import { cloneJson, isRecord } from '@minions/core/json'
import { colonyError } from '../errors.js'
import type { RoleContract } from './define-role.js'
import { isOfTask } from './role-contracts.js'

/** Fields that the runner fills in: root metadata, the artifact's id, and the task it belongs to. */
type Filled<Name extends ArtifactName> =
  | keyof RootMetadata
  | (typeof ARTIFACT_ID_FIELDS)[Name]
  | (Name extends 'research_artifact' | 'worker_result' ? 'task_id' : never)

/** An artifact as a role returns it; fields that the runner knows may be absent. */
export type Draft<Name extends ArtifactName> = Omit<Artifact<Name>, Filled<Name>> &
  Partial<Pick<Artifact<Name>, Filled<Name> & keyof Artifact<Name>>>

export interface DraftOrigin {
  readonly envelope: MissionEnvelope
  readonly role: string
  readonly contract: RoleContract
  /** Absent for the first plan, which is created before there are tasks. */
  readonly taskId: string | undefined
  /** Creation time of the artifact; a replay passes the stored one. */
  readonly createdAt: (name: ArtifactName, id: string) => string
  readonly traces: readonly string[]
}

const ID_PREFIXES: Readonly<Partial<Record<ArtifactName, string>>> = {
  prompt_package: 'pkg',
  research_artifact: 'res',
  librarian_pass: 'pass',
  worker_result: 'wrk',
  aggregation_packet: 'agg',
  review_packet: 'rev',
  writeback_proposal: 'wb',
}

const MAX_ID_LENGTH = 128

/** Turns what a role returned into artifacts. Throws `ROLE_OUTPUT_INVALID` when it is of the wrong kind. */
export function completeDrafts(returned: unknown, origin: DraftOrigin): StoredArtifact[] {
  const drafts = draftsOf(returned, origin.role)
  const [main] = origin.contract.returns
  const counts = new Map<string, number>()
  const artifacts = drafts.map((draft) => {
    const name = kindOf(draft, origin)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return complete(draft, name, count, origin)
  })
  if (!counts.has(main) && !origin.contract.mayReturnNothing) {
    throw invalid(origin.role, `returned no ${main}`)
  }
  return artifacts
}

function draftsOf(returned: unknown, role: string): Record<string, unknown>[] {
  if (Array.isArray(returned)) return returned.map((each) => asObject(each, role))
  const object = asObject(returned, role)
  if (role !== 'reviewer' || !Object.hasOwn(object, 'review')) return [object]
  const proposals = Object.hasOwn(object, 'proposals') ? object.proposals : []
  if (!Array.isArray(proposals)) throw invalid(role, 'returned `proposals` that are not a list')
  return [
    asObject(object.review, role),
    ...proposals.map((each) => ({ schema_name: 'writeback_proposal', ...asObject(each, role) })),
  ]
}

function asObject(value: unknown, role: string): Record<string, unknown> {
  if (isRecord(value)) return value
  throw invalid(role, 'returned something that is not an object')
}

function kindOf(draft: Readonly<Record<string, unknown>>, { role, contract }: DraftOrigin): ArtifactName {
  const names: readonly ArtifactName[] = contract.returns
  const given = Object.hasOwn(draft, 'schema_name') ? draft.schema_name : names[0]
  const name = names.find((each) => each === given)
  if (name === undefined) throw invalid(role, `may only return ${names.join(' and ')}`)
  return name
}

function complete(
  draft: Readonly<Record<string, unknown>>,
  name: ArtifactName,
  count: number,
  origin: DraftOrigin,
): StoredArtifact {
  const { envelope, role, taskId, traces } = origin
  const idField = ARTIFACT_ID_FIELDS[name]
  const prefix = ID_PREFIXES[name]
  const generated = prefix === undefined ? envelope.mission_id : artifactName(prefix, taskId ?? 'plan', count)
  const id = typeof draft[idField] === 'string' ? (draft[idField] as string) : generated
  const artifact = {
    schema_name: name,
    schema_version: 'v1',
    mission_id: envelope.mission_id,
    tenant_id: envelope.tenant_id,
    actor_id: envelope.actor_id,
    ...(isOfTask(name) && { task_id: taskId }),
    ...(name === 'worker_result' && traces.length > 0 && { tool_trace_refs: traces }),
    [idField]: id,
    producer: `${role}_agent`,
    ...Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)),
    created_at: origin.createdAt(name, id),
  }
  try {
    return cloneJson(artifact) satisfies StoredArtifact
  } catch (error) {
    if (error instanceof RangeError || (error as Error).cause instanceof RangeError)
      throw invalid(role, 'returned a value that contains itself or is nested too deeply')
    throw error
  }
}

/** The id of a task's artifact: the same for every run, so that a replay finds what it derives. */
export function artifactName(prefix: string, taskId: string, count = 1): string {
  const id = `${prefix}_${taskId}${count > 1 ? `_${count}` : ''}`
  if (id.length <= MAX_ID_LENGTH) return id
  return `${prefix}_${createHash('sha256').update(id).digest('hex')}`
}

function invalid(role: string, what: string): Error {
  return colonyError('ROLE_OUTPUT_INVALID', `The role ${role} ${what}.`, { details: { role, errors: [] } })
}
