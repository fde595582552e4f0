import { quote } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import { DECISION_TYPES, type PolicyDecision } from '../schemas/policy-decision.js'
import type { WritebackProposal } from '../schemas/writeback-proposal.js'
import { POLICY_GATE_PRODUCER } from './latest-decision.js'
import type { PolicyConfig } from './policy-config.js'
import { allow, allowedBy, deniedBy, deny, type Verdict } from './verdict.js'

/**
 * Checks whether a proposal may be applied. It requires a decision of type `writeback` that allows it, unless the
 * proposal requires no approval and the configuration permits that. One decision that denies is final; verdicts
 * recorded by the gate are not decisions. The code that applies a proposal is responsible for doing so only once.
 */
export const evaluateWriteback = guarded('evaluateWriteback', evaluateWritebackUnchecked)

function evaluateWritebackUnchecked(
  proposal: WritebackProposal,
  decisions: readonly PolicyDecision[],
  { allowUnapprovedWriteback = false }: PolicyConfig = {},
): Verdict {
  const { mission_id, proposal_id, requires_approval } = proposal
  const relevant = decisions.filter(
    (decision) =>
      decision.mission_id === mission_id &&
      decision.decision_type === DECISION_TYPES.writeback &&
      decision.subject === proposal_id &&
      decision.producer !== POLICY_GATE_PRODUCER,
  )
  const what = quote(proposal_id)
  const denial = relevant.find(({ decision }) => decision === 'deny')
  if (denial) return deniedBy(denial)
  const approval = relevant.find(({ decision }) => decision === 'allow')
  if (approval) return allowedBy(approval)
  if (!requires_approval && allowUnapprovedWriteback) return allow(`${what} requires no approval`)
  return deny('NO_APPROVAL', `no policy decision allows ${what}`)
}
