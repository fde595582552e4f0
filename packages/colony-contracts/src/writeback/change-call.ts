import { MinionsError, quote } from '@minions/core'
import type { Clearance, GuardedCall } from '@minions/core/plugin'
import { compileSchema, describeIssues, strictObject } from '@minions/core/schema'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import { Id, Name, OpenObject } from '../schemas/parts.js'
import type { WritebackProposal } from '../schemas/writeback-proposal.js'

/** The change that a proposal requests, as seen by a policy and by approvers. */
export function changeCall(proposal: WritebackProposal, envelope: MissionEnvelope | undefined): GuardedCall {
  const { mission_id, proposal_id, action_type, target_entity_type, target_entity_id, payload } = proposal
  return {
    kind: 'writeback',
    name: action_type,
    arguments: { target_entity_type, target_entity_id, payload },
    by: proposal.actor_id ?? proposal.producer,
    tenant: proposal.tenant_id,
    mission: mission_id,
    sensitivity: envelope?.sensitivity_class,
    use: proposal_id,
  }
}

const ApprovedChange = compileSchema(
  strictObject({ target_entity_type: Name, target_entity_id: Id, payload: OpenObject }),
)

/**
 * The proposal as approved: with another target or payload, if the approver changed them. Throws `VALIDATION_FAILED`
 * for a change that no proposal can have, since the proposed change would not be the approved one.
 */
export function approvedProposal(proposal: WritebackProposal, cleared: Clearance | undefined): WritebackProposal {
  if (cleared?.approval === undefined) return proposal
  const change: unknown = cleared.arguments
  if (ApprovedChange.check(change)) return { ...proposal, ...change }
  const { approval } = cleared
  const { proposal_id: proposalId } = proposal
  const errors = ApprovedChange.issues(change)
  const what = `Approval ${approval} changed proposal ${quote(proposalId)} into one that cannot be applied`
  const message = `${what}: ${describeIssues(errors, 'it', 1)}. Propose the change again.`
  throw new MinionsError('VALIDATION_FAILED', message, { details: { approval, proposalId, errors } })
}
