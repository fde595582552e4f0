import type { JsonObject } from '@minions/core/json'
import { asPage, defineOperation, pageInput, pageOf } from '@minions/core/operations'
import { GUARDED_KINDS, type GuardedCall } from '@minions/core/plugin'
import { Type } from 'typebox'
import { APPROVAL_STATUSES, ApprovalEventSchema, ApprovalSchema } from '../approvals/record.js'
import { PolicyCallSchema } from '../policy/rule.js'
import { ApprovalId, closed, deciderOf, decision, deps, exampleAsk, exampleCaller, exampleId } from './inputs.js'

const example = { ...exampleCaller, title: 'One that is pending' }

const { by: _by, tenant: _tenant, ...called } = PolicyCallSchema.properties

export const ask = defineOperation({
  name: 'approvals.ask',
  summary: 'Request the approval of one exact call',
  description: 'The caller cannot decide on it. Repeating an open request returns the same approval.',
  access: 'write',
  perTenant: true,
  input: Type.Object(
    {
      call: Type.Object(called, { ...closed, description: 'The call.', examples: [exampleAsk[1].call] }),
      why: Type.String({ maxLength: 2000, description: 'Why it is needed.', examples: [exampleAsk[1].why] }),
    },
    closed,
  ),
  output: ApprovalSchema,
  examples: [{ title: 'A search that costs money', by: 'agent-7', tenant: 'acme', input: exampleAsk[1] }],
  deps,
  run({ call, why }, { approvals }, context) {
    const { by, tenant } = deciderOf(context)
    const guarded: GuardedCall = { ...call, arguments: call.arguments as JsonObject | undefined, by, tenant }
    return approvals.ask(guarded, why)
  },
})

export const list = defineOperation({
  name: 'approvals.list',
  summary: 'List approvals, the oldest request first',
  access: 'read',
  perTenant: true,
  input: Type.Object(
    {
      status: Type.Optional(
        Type.Enum(APPROVAL_STATUSES, { description: 'Only approvals with this status.', examples: ['pending'] }),
      ),
      mission: Type.Optional(
        Type.String({ description: 'Only those of this mission.', examples: ['7c1d3a52-4e0b-4c7e-9a61-2f5b8e4d1c90'] }),
      ),
      ...pageInput,
    },
    closed,
  ),
  output: pageOf(ApprovalSchema),
  examples: [{ ...example, title: 'What is waiting for a decision', input: { status: 'pending' } }],
  deps,
  run: async (filter, { approvals }, { tenant }) => asPage(await approvals.list({ ...filter, tenant })),
})

export const get = defineOperation({
  name: 'approvals.get',
  summary: 'Get an approval with its history',
  access: 'read',
  perTenant: true,
  input: Type.Object({ approval: ApprovalId }, closed),
  output: Type.Object({
    ...ApprovalSchema.properties,
    history: Type.Array(ApprovalEventSchema, { description: 'Oldest first, including refused attempts.' }),
  }),
  examples: [{ ...example, input: { approval: exampleId } }],
  deps,
  async run({ approval: id }, { approvals }, { tenant }) {
    return { ...(await approvals.get(id, { tenant })), history: await approvals.history(id, { tenant }) }
  },
})

function deciding(verb: 'approve' | 'reject', summary: string) {
  return defineOperation({
    name: `approvals.${verb}`,
    summary,
    description: 'Of several decisions the first counts; the others fail with `CONFLICT`, which says who decided.',
    access: 'approve',
    perTenant: true,
    input: Type.Object({ approval: ApprovalId, ...decision }, closed),
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
    deps,
    run: ({ approval: id, ...given }, { approvals }, context) =>
      approvals[verb](id, { ...given, ...deciderOf(context) }),
  })
}

export const approve = deciding('approve', 'Approve a call for a single use')
export const reject = deciding('reject', 'Reject a call permanently')

const Shown = Type.Object(
  {
    kind: Type.Optional(Type.Enum(GUARDED_KINDS)),
    name: Type.Optional(Type.String()),
    version: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  {
    ...closed,
    description: 'What was shown besides the arguments. Only arguments can be changed; anything else is refused.',
    examples: [{ kind: 'tool', name: 'external_search' }],
  },
)

const Arguments = Type.Unsafe<JsonObject>({
  type: 'object',
  description: 'All arguments after the change.',
  examples: [{ query: 'marina' }],
})

export const edit = defineOperation({
  name: 'approvals.edit',
  summary: 'Approve a call with other arguments',
  description: 'The change is recorded as `edit.diff`. Arguments that the policy denies are refused.',
  access: 'approve',
  perTenant: true,
  input: Type.Object({ approval: ApprovalId, arguments: Arguments, call: Type.Optional(Shown), ...decision }, closed),
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
  deps,
  run: ({ approval: id, ...given }, { approvals }, context) => approvals.edit(id, { ...given, ...deciderOf(context) }),
})

export const decide = defineOperation({
  name: 'approvals.decide',
  summary: 'Decide on several approvals, all or none',
  access: 'approve',
  perTenant: true,
  input: Type.Object(
    {
      decisions: Type.Array(
        Type.Object(
          {
            approval: ApprovalId,
            decision: Type.Enum(['approve', 'reject']),
            arguments: Type.Optional(Arguments),
            ...decision,
          },
          closed,
        ),
        {
          minItems: 1,
          maxItems: 1000,
          description: 'One decision for each approval.',
          examples: [[{ approval: exampleId, decision: 'approve' }]],
        },
      ),
    },
    closed,
  ),
  output: Type.Object({ items: Type.Array(ApprovalSchema) }),
  examples: [
    { ...example, title: 'All that are pending', input: { decisions: [{ approval: exampleId, decision: 'approve' }] } },
  ],
  deps,
  run: async ({ decisions }, { approvals }, context) => ({
    items: await approvals.decide(decisions, deciderOf(context)),
  }),
})
