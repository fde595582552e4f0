import type { MissionEnvelope } from '@minions/colony-contracts'
import { task, workersFor } from '../deterministic/planner.js'
import type { RoleHandler } from '../role.js'

/** One task to prepare prompts, one for passes, a worker for each thing that the envelope names, then a draft and its review. */
export const planAny: RoleHandler<'planner'> = ({ envelope }) => {
  const { normalized_goal: goal } = envelope
  const workers = workersFor(subjectsOf(envelope), (subject) => ({
    objective: subject === undefined ? goal : `${goal} This part is about ${subject}.`,
    depends_on: ['task_prompts'],
  }))
  return {
    tasks: [
      task({
        task_id: 'task_prompts',
        role_type: 'prompt_master',
        objective: 'Prepare role-specific prompt packages for all execution tasks.',
      }),
      ...workers,
      task({
        task_id: 'task_aggregate',
        role_type: 'aggregator',
        objective: 'Make one draft of all results.',
        depends_on: ['task_prompts', ...workers.map(({ task_id }) => task_id)],
      }),
      task({
        task_id: 'task_review',
        role_type: 'reviewer',
        objective: 'Review the draft.',
        depends_on: ['task_prompts', 'task_aggregate'],
      }),
    ],
  }
}

/** Records what was to be done and with what; without a model it is not done. */
export const noteTask: RoleHandler<'worker'> = ({ task: { objective, ...rest }, read }) => {
  const { subject_ref: subject } = rest as { readonly subject_ref?: unknown }
  const about = typeof subject === 'string' ? { subject } : {}
  const sources = read('research_artifact').flatMap(({ results }) =>
    results.map(({ url }) => ({ kind: 'web', ref: url })),
  )
  return {
    output_text: `Noted: ${objective}`,
    structured_output: about,
    citations: [...(typeof subject === 'string' ? [{ kind: 'internal', ref: subject }] : []), ...sources],
    confidence: 0.5,
  }
}

/** All results in one draft, each claim with the result that supports it. */
export const collect: RoleHandler<'aggregator'> = ({ envelope, read }) => {
  const results = read('worker_result')
  return {
    summary: `${results.length} ${results.length === 1 ? 'result' : 'results'} for: ${envelope.normalized_goal}`,
    evidence_matrix: results.map(({ result_id, output_text }) => ({ claim: output_text, support_refs: [result_id] })),
    contradictions: [],
    coverage_gaps: [],
    recommended_output: { format: 'structured_brief' },
  }
}

/** Approves a draft whose claims are all supported, and proposes nothing. */
export const approveSupported: RoleHandler<'reviewer'> = ({ read }) => {
  const packet = read('aggregation_packet').at(-1)
  const isSupported = packet?.evidence_matrix.every(({ support_refs }) => support_refs.length > 0) ?? false
  return {
    review: {
      review_status: isSupported ? 'approved' : 'changes_requested',
      issues: [],
      required_edits: [],
      approved_output: isSupported ? { summary: packet?.summary ?? '' } : null,
      ...(packet && { parent_refs: [packet.packet_id] }),
    },
  }
}

/** The ids in the lists of an envelope's `context_refs`. */
function subjectsOf({ context_refs = {} }: MissionEnvelope): string[] {
  const lists = Object.values(context_refs).filter((value) => Array.isArray(value))
  return [...new Set(lists.flat().filter((id) => typeof id === 'string'))]
}
