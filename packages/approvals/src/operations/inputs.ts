import { MinionsError } from '@minions/core'
import { type OperationContext, operationsWith, property } from '@minions/core/operations'
import { Type } from 'typebox'
import { bindingOf, toApprovedCall } from '../approvals/call.js'
import { approvalId } from '../approvals/requests.js'
import { approvalsRef } from '../ref.js'

export const operation = operationsWith({ approvals: approvalsRef })

const call = { kind: 'tool', name: 'external_search', arguments: { query: 'waterfront' } } as const

/** One person asks, and another decides. */
export const exampleAsk = ['approvals.ask', { call, why: 'It costs money.' }, 'agent-7'] as const
export const exampleCaller = { by: 'ada', tenant: 'acme', given: [exampleAsk] }

/** The id of that approval, which is derived from the call. */
export const exampleId = approvalId(bindingOf(toApprovedCall({ ...call, by: 'agent-7' }), 'agent-7', 'acme'), 0)

export const ApprovalId = property.text('Id of an approval.', exampleId, { minLength: 1, maxLength: 200 })

export const decision = {
  reason: Type.Optional(property.text('Why.', 'Within the budget.', { maxLength: 2000 })),
  hash: Type.Optional(
    property.text('`arguments_hash` of what was shown; the decision is refused if the arguments differ.', '4d0c…', {
      maxLength: 200,
    }),
  ),
}

export function deciderOf({ by, tenant }: OperationContext) {
  if (by !== undefined && by !== '') return { by, tenant }
  throw new MinionsError('FORBIDDEN', 'A decision needs a person; name the caller, for example with --by.')
}
