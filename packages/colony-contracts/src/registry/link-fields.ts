import { type TObject, Type } from 'typebox'
import { type ArtifactName, artifactSchemas } from '../schemas/artifact.js'

/** The fields that link artifacts into a mission and on which policy is decided. */
const linkFields: { readonly [Name in ArtifactName]: readonly (keyof (typeof artifactSchemas)[Name]['properties'])[] } =
  {
    mission_envelope: ['tenant_id', 'actor_id', 'sensitivity_class'],
    mission_task_graph: ['tasks'],
    prompt_package: ['task_id', 'package_id', 'role_type', 'tool_scope'],
    research_artifact: ['task_id', 'artifact_id'],
    librarian_pass: ['task_id', 'pass_id', 'allowed_resource_families', 'expires_at'],
    worker_result: ['task_id', 'result_id'],
    aggregation_packet: ['packet_id', 'evidence_matrix'],
    review_packet: ['packet_id', 'parent_refs'],
    policy_decision: ['decision_id', 'decision_type', 'subject', 'decision', 'task_id'],
    writeback_proposal: ['proposal_id', 'requires_approval'],
  }

/**
 * The fields that a later version of one of the ten contracts has to keep, so that the rules between artifacts apply to
 * it too; `undefined` for other names.
 */
export function linkSchemaOf(name: string): object | undefined {
  if (!Object.hasOwn(artifactSchemas, name)) return undefined
  const { properties } = artifactSchemas[name as ArtifactName] as TObject
  const kept = linkFields[name as ArtifactName] as readonly string[]
  return Type.Object(Object.fromEntries(Object.entries(properties).filter(([key]) => kept.includes(key))))
}
