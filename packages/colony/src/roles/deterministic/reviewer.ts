import type { JsonObject } from '@minions/core/json'
import { artifactName } from '../draft.js'
import type { RoleHandler } from '../role.js'

/** Approves a brief whose claims are all supported, and proposes to move the most urgent leads on. */
export const review: RoleHandler<'reviewer'> = ({ envelope, read }) => {
  const packet = read('aggregation_packet').at(-1)
  const gaps = packet?.coverage_gaps ?? []
  const isSupported = packet?.evidence_matrix.every(({ support_refs }) => support_refs.length > 0) ?? false
  const actions = (packet?.recommended_output.actions ?? []) as readonly JsonObject[]
  const urgent = actions.filter(({ priority }) => priority === 'high')
  const wantsProposal = envelope.requested_outputs?.includes('writeback_proposal') ?? false
  const review_status = !isSupported ? 'changes_requested' : gaps.length > 0 ? 'approved_with_edits' : 'approved'
  return {
    review: {
      review_status,
      issues: gaps.map((gap) => ({ severity: 'medium' as const, message: String(gap) })),
      required_edits: gaps.length > 0 ? ['say which recommendations are guesses'] : [],
      approved_output: isSupported ? { summary: packet?.summary ?? '', actions: [...actions] } : null,
      ...(packet && { parent_refs: [packet.packet_id] }),
    },
    proposals: (wantsProposal && isSupported ? urgent : []).map(({ lead_id, action, score }) => ({
      proposal_id: artifactName('wb', String(lead_id)),
      target_entity_type: 'lead',
      target_entity_id: String(lead_id),
      action_type: 'lead_stage_update',
      payload: { kanban_status: 'Negotiation', reason: String(action), score: Number(score) },
      requires_approval: true,
    })),
  }
}
