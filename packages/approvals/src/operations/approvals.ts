import type { JsonObject } from '@minions/core/json'
import { asPage, pageInput, pageOf, property } from '@minions/core/operations'
import { GUARDED_KINDS, type GuardedCall } from '@minions/core/plugin'
import { strictObject } from '@minions/core/schema'
import { Type } from 'typebox'
import { APPROVAL_STATUSES, ApprovalEventSchema, ApprovalSchema } from '../approvals/record.js'
import { PolicyCallSchema } from '../policy/rule.js'
import { ApprovalId, deciderOf, decision, exampleAsk, exampleCaller, exampleId, operation } from './inputs.js'

const example = { ...exampleCaller, title: 'One that is pending' }

const { by: _by, tenant: _tenant, ...called } = PolicyCallSchema.properties

export const ask = operation({
  name: 'approvals.ask',
  summary: 'Request the approval of one exact call',
  description: 'The caller cannot decide on it. Repeating an open request returns the same approval.',
  access: 'write',
  perTenant: true,
  input: {
    call: strictObject(called, { description: 'The call.', examples: [exampleAsk[1].call] }),
    why: property.text('Why it is needed.', exampleAsk[1].why, { maxLength: 2000 }),
  },
  output: ApprovalSchema,
  examples: [{ title: 'A search that costs money', by: 'agent-7', tenant: 'acme', input: exampleAsk[1] }],
  run({ call, why }, { approvals }, context) {
    const { by, tenant } = deciderOf(context)
    const guarded: GuardedCall = { ...call, arguments: call.arguments as JsonObject | undefined, by, tenant }
    return approvals.ask(guarded, why)
  },
})

export const list = operation({
  name: 'approvals.list',
  summary: 'List approvals, the oldest request first',
  access: 'read',
  perTenant: true,
  input: {
    status: Type.Optional(property.choice(APPROVAL_STATUSES, 'Only approvals with this status.', 'pending')),
    mission: Type.Optional(property.text('Only those of this mission.', '7c1d3a52-4e0b-4c7e-9a61-2f5b8e4d1c90')),
    ...pageInput,
  },
  output: pageOf(ApprovalSchema),
  examples: [{ ...example, title: 'What is waiting for a decision', input: { status: 'pending' } }],
  run: async (filter, { approvals }, { tenant }) => asPage(await approvals.list({ ...filter, tenant })),
})

export const get = operation({
  name: 'approvals.get',
  summary: 'Get an approval with its history',
  access: 'read',
  perTenant: true,
  input: { approval: ApprovalId },
  output: Type.Object({
    ...ApprovalSchema.properties,
    history: Type.Array(ApprovalEventSchema, { description: 'Oldest first, including refused attempts.' }),
  }),
  examples: [{ ...example, input: { approval: exampleId } }],
  async run({ approval: id }, { approvals }, { tenant }) {
    return { ...(await approvals.get(id, { tenant })), history: await approvals.history(id, { tenant }) }
  },
})

function deciding(verb: 'approve' | 'reject', summary: string) {
  return operation({
    name: `approvals.${verb}`,
    summary,
    description: 'Of several decisions the first counts; the others fail with `CONFLICT`, which says who decided.',
    access: 'approve',
    perTenant: true,
    input: { approval: ApprovalId, ...decision },
    output: ApprovalSchema,
    examples: [
      { ...example, input: { approval: exampleId, reason: 'Within the budget.' } },
      {
        ...example,
        title: 'By the person who asked',
        by: 'agent-7',
        input: { approval: exampleId },
        fails: 'SELF_APPROVAL',
      },
    ],
    run: ({ approval: id, ...given }, { approvals }, context) =>
      approvals[verb](id, { ...given, ...deciderOf(context) }),
  })
}

export const approve = deciding('approve', 'Approve a call for a single use')
export const reject = deciding('reject', 'Reject a call permanently')

const Shown = strictObject(
  {
    kind: Type.Optional(Type.Enum(GUARDED_KINDS)),
    name: Type.Optional(Type.String()),
    version: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  {
    description: 'What was shown besides the arguments. Only arguments can be changed; anything else is refused.',
    examples: [{ kind: 'tool', name: 'external_search' }],
  },
)

const Arguments = property.record('All arguments after the change.', { query: 'marina' })

export const edit = operation({
  name: 'approvals.edit',
  summary: 'Approve a call with other arguments',
  description: 'The change is recorded as `edit.diff`. Arguments that the policy denies are refused.',
  access: 'approve',
  perTenant: true,
  input: { approval: ApprovalId, arguments: Arguments, call: Type.Optional(Shown), ...decision },
  output: ApprovalSchema,
  examples: [
    { ...example, title: 'A narrower search', input: { approval: exampleId, arguments: { query: 'marina' } } },
    {
      ...example,
      title: 'Another tool is another call',
      input: { approval: exampleId, arguments: { query: 'marina' }, call: { name: 'crm_search' } },
      fails: 'APPROVAL_MISMATCH',
    },
  ],
  run: ({ approval: id, ...given }, { approvals }, context) => approvals.edit(id, { ...given, ...deciderOf(context) }),
})

export const decide = operation({
  name: 'approvals.decide',
  summary: 'Decide on several approvals, all or none',
  access: 'approve',
  perTenant: true,
  input: {
    decisions: Type.Array(
      strictObject({
        approval: ApprovalId,
        decision: Type.Enum(['approve', 'reject']),
        arguments: Type.Optional(Arguments),
        ...decision,
      }),
      {
        minItems: 1,
        maxItems: 1000,
        description: 'One decision for each approval.',
        examples: [[{ approval: exampleId, decision: 'approve' }]],
      },
    ),
  },
  output: Type.Object({ items: Type.Array(ApprovalSchema) }),
  examples: [
    { ...example, title: 'All that are pending', input: { decisions: [{ approval: exampleId, decision: 'approve' }] } },
  ],
  run: async ({ decisions }, { approvals }, context) => ({
    items: await approvals.decide(decisions, deciderOf(context)),
  }),
})
