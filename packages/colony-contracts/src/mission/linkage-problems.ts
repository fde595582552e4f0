import { quote } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import { checkTaskGraph } from '../graph/validate-task-graph.js'
import type { AggregationPacket } from '../schemas/aggregation-packet.js'
import type { Artifact } from '../schemas/artifact.js'
import { DECISION_TYPES, type PolicyDecision } from '../schemas/policy-decision.js'
import type { PromptPackage } from '../schemas/prompt-package.js'
import type { ResearchArtifact } from '../schemas/research-artifact.js'
import type { ReviewPacket } from '../schemas/review-packet.js'
import type { WorkerResult } from '../schemas/worker-result.js'
import { type ArtifactProblem, problem } from '../validation/problem.js'
import { envelopeProblems } from './complete-artifact.js'
import type { MissionIndex } from './mission-index.js'
import { instantOf } from './time.js'

/** References with this prefix mean an artifact of the mission; all others point outside. */
export const internalReference = /^(?:pkg|res|pass|wrk|agg|rev|pol|wb)_/

/** All inconsistencies between one valid artifact and the rest of its mission, which may already contain it. */
export const linkageProblems = guarded('linkageProblems', linkageProblemsUnchecked)

function linkageProblemsUnchecked(artifact: Artifact | Artifact<string>, mission: MissionIndex): ArtifactProblem[] {
  const problems = envelopeProblems(artifact, mission.envelope)
  if (artifact.mission_id !== mission.envelope.mission_id) return problems
  return [...problems, ...taskProblems(artifact, mission), ...kindProblems(artifact, mission)]
}

function kindProblems(artifact: Artifact | Artifact<string>, mission: MissionIndex): readonly ArtifactProblem[] {
  // Every version of the ten contracts has the fields that are read here; see `linkSchemaOf`.
  const known = artifact as Artifact
  switch (known.schema_name) {
    case 'mission_task_graph':
      // The registry decides which roles exist.
      return checkTaskGraph(known, null).errors
    case 'prompt_package':
      return packageProblems(known, mission)
    case 'research_artifact':
    case 'worker_result':
      return expiryProblems(known, mission)
    case 'aggregation_packet':
      return evidenceProblems(known, mission)
    case 'review_packet':
      return reviewProblems(known, mission)
    case 'policy_decision':
      return decisionProblems(known, mission)
    default:
      return []
  }
}

function taskProblems(artifact: Artifact | Artifact<string>, mission: MissionIndex): ArtifactProblem[] {
  const taskId: unknown = (artifact as Artifact<string>).task_id
  if (typeof taskId !== 'string' || mission.task(taskId)) return []
  return [problem('/task_id', 'UNKNOWN_TASK', `no task graph of the mission has a task ${quote(taskId)}`)]
}

function packageProblems({ task_id, role_type, tool_scope }: PromptPackage, mission: MissionIndex): ArtifactProblem[] {
  const task = mission.task(task_id)
  if (!task) return []
  const problems: ArtifactProblem[] = []
  if (role_type !== task.role_type) {
    const message = `is ${role_type}, but task ${quote(task_id)} is for a ${task.role_type}`
    problems.push(problem('/role_type', 'ROLE_MISMATCH', message))
  }
  const allowed = new Set(task.allowed_tools)
  tool_scope.forEach((tool, index) => {
    if (allowed.has(tool)) return
    const message = `task ${quote(task_id)} may not use ${quote(tool)}`
    problems.push(problem(`/tool_scope/${index}`, 'SCOPE_EXCEEDED', message))
  })
  return problems
}

function expiryProblems({ task_id, created_at }: ResearchArtifact | WorkerResult, mission: MissionIndex) {
  if (!mission.passesHadExpired(task_id, instantOf(created_at))) return []
  const message = `is after the last librarian pass of task ${quote(task_id)} expired`
  return [problem('/created_at', 'PASS_EXPIRED', message)]
}

function evidenceProblems({ evidence_matrix }: AggregationPacket, mission: MissionIndex): ArtifactProblem[] {
  return evidence_matrix.flatMap(({ support_refs }, index) =>
    referenceProblems(support_refs, `/evidence_matrix/${index}/support_refs`, mission),
  )
}

function reviewProblems(review: ReviewPacket, mission: MissionIndex): ArtifactProblem[] {
  const problems = referenceProblems(review.parent_refs ?? [], '/parent_refs', mission)
  const targets = mission.reviews.targetsOf(review)
  if (targets.length === 0) {
    const message = 'there is no earlier aggregation packet, nor one named by parent_refs'
    problems.push(problem('', 'REVIEW_WITHOUT_PACKET', message))
  }
  for (const target of targets) {
    const first = mission.reviews.firstReviewOf(target)
    if (!first || first.packet_id === review.packet_id) continue
    const message = `aggregation packet ${quote(target)} was already reviewed by ${quote(first.packet_id)}`
    problems.push(problem('/packet_id', 'SECOND_REVIEW', message))
  }
  return problems
}

/** A decision about a writeback must refer to an existing one, or a proposal could be approved before it exists. */
function decisionProblems({ decision_type, subject }: PolicyDecision, mission: MissionIndex): ArtifactProblem[] {
  if (decision_type !== DECISION_TYPES.writeback || mission.has(subject)) return []
  return [problem('/subject', 'UNKNOWN_REFERENCE', `the mission has no writeback proposal ${quote(subject)}`)]
}

function referenceProblems(refs: readonly string[], pointer: string, mission: MissionIndex): ArtifactProblem[] {
  const problems: ArtifactProblem[] = []
  refs.forEach((ref, index) => {
    if (!internalReference.test(ref) || mission.has(ref)) return
    problems.push(problem(`${pointer}/${index}`, 'UNKNOWN_REFERENCE', `the mission has no artifact ${quote(ref)}`))
  })
  return problems
}
