import { MinionsError } from '@minions/core'
import type { OperationContext } from '@minions/core/operations'
import { Type } from 'typebox'
import { bindingOf, toApprovedCall } from '../approvals/call.js'
import { approvalId } from '../approvals/requests.js'
import { approvalsRef } from '../ref.js'

/** An input is closed: a misspelt name is refused, not passed over. */
export const closed = { additionalProperties: false } as const

export const deps = { approvals: approvalsRef }

const call = { kind: 'tool', name: 'external_search', arguments: { query: 'waterfront' } } as const

/** One person asks, and another decides. */
export const exampleAsk = ['approvals.ask', { call, why: 'It costs money.' }, 'agent-7'] as const
export const exampleCaller = { by: 'ada', tenant: 'acme', given: [exampleAsk] }

/** The id of that approval, which is derived from the call. */
export const exampleId = approvalId(bindingOf(toApprovedCall({ ...call, by: 'agent-7' }), 'agent-7', 'acme'), 0)

export const ApprovalId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Id of an approval.',
  examples: [exampleId],
})

export const decision = {
  reason: Type.Optional(Type.String({ maxLength: 2000, description: 'Why.', examples: ['Within the budget.'] })),
  hash: Type.Optional(
    Type.String({
      maxLength: 200,
      description: '`arguments_hash` of what was shown; the decision is refused if the arguments differ.',
      examples: ['4d0c…'],
    }),
  ),
}

/** Who decides, and within which tenant. */
export function deciderOf({ by, tenant }: OperationContext) {
  if (by !== undefined && by !== '') return { by, tenant }
  throw new MinionsError('FORBIDDEN', 'A decision needs a person; name the caller, for example with --by.')
}
