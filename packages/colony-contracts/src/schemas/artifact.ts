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

/** The artifact with one particular `schema_name`. */
export type ArtifactOf<Name extends ArtifactName> = Artifacts[Name]

/** Any of the ten artifacts; comparing `schema_name` narrows it. */
export type Artifact = Artifacts[ArtifactName]

/** An artifact of any registered kind, ours or a plugin's. */
export type AnyArtifact = RootMetadata & { readonly [field: string]: unknown }

/** Which property holds an artifact's own id. A mission has one envelope; its graphs are told apart by revision. */
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
