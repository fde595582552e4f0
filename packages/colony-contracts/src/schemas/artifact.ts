import { guarded } from '@minions/core/plugin'
import type { Static } from 'typebox'
import { AggregationPacketSchema } from './aggregation-packet.js'
import { LibrarianPassSchema } from './librarian-pass.js'
import { MissionEnvelopeSchema } from './mission-envelope.js'
import { MissionTaskGraphSchema } from './mission-task-graph.js'
import { PolicyDecisionSchema } from './policy-decision.js'
import { PromptPackageSchema } from './prompt-package.js'
import { ResearchArtifactSchema } from './research-artifact.js'
import { ReviewPacketSchema } from './review-packet.js'
import type { RootMetadata } from './root-metadata.js'
import { WorkerResultSchema } from './worker-result.js'
import { WritebackProposalSchema } from './writeback-proposal.js'

/** The ten contracts by `schema_name`, in the order in which a mission produces them. */
export const artifactSchemas = {
  mission_envelope: MissionEnvelopeSchema,
  mission_task_graph: MissionTaskGraphSchema,
  prompt_package: PromptPackageSchema,
  research_artifact: ResearchArtifactSchema,
  librarian_pass: LibrarianPassSchema,
  worker_result: WorkerResultSchema,
  aggregation_packet: AggregationPacketSchema,
  review_packet: ReviewPacketSchema,
  policy_decision: PolicyDecisionSchema,
  writeback_proposal: WritebackProposalSchema,
} as const

export type ArtifactName = keyof typeof artifactSchemas

// A table, so that the compiler looks up a type whose name it does not know yet instead of comparing schemas.
type Artifacts = { [Name in ArtifactName]: Static<(typeof artifactSchemas)[Name]> }

/**
 * An artifact. `Artifact` is any of the ten, and comparing its `schema_name` narrows it; `Artifact<'worker_result'>` is
 * one of them, and `Artifact<string>` of any kind, ours or a plugin's.
 */
export type Artifact<Name extends string = ArtifactName> = Name extends ArtifactName
  ? Artifacts[Name]
  : RootMetadata & { readonly [field: string]: unknown }

/** A stored artifact: with its tenant and its actor, which may be omitted before. */
export type StoredArtifact<Name extends string = string> = Artifact<Name> & {
  readonly tenant_id: string
  readonly actor_id: string
}

/** True if a valid artifact is of one of the ten kinds. */
export const isOfKind = guarded('isOfKind', isOfKindUnchecked, { checksInside: false })

function isOfKindUnchecked<Name extends ArtifactName>(
  artifact: Artifact | Artifact<string>,
  name: Name,
): artifact is Artifacts[Name] {
  return artifact.schema_name === name
}

/** The property with an artifact's own id. A mission has one envelope; its graphs are distinguished by revision. */
export const ARTIFACT_ID_FIELDS = {
  mission_envelope: 'mission_id',
  mission_task_graph: 'mission_id',
  prompt_package: 'package_id',
  research_artifact: 'artifact_id',
  librarian_pass: 'pass_id',
  worker_result: 'result_id',
  aggregation_packet: 'packet_id',
  review_packet: 'packet_id',
  policy_decision: 'decision_id',
  writeback_proposal: 'proposal_id',
} as const satisfies Record<ArtifactName, string>
