import { asPage, pageInput, pageOf, property, requireTenant } from '@minions/core/operations'
import { Type } from 'typebox'
import { artifactExamples } from '../examples.js'
import type { PolicyDecision } from '../schemas/policy-decision.js'
import type { WritebackProposal } from '../schemas/writeback-proposal.js'
import { PROPOSAL_STATUSES, type ProposalStatus } from '../writeback/proposals.js'
import { WritebackApplicationSchema } from '../writeback/writeback-application.js'
import { ArtifactOutput, exampleCaller, examplePut, MissionReference, operation } from './inputs.js'

const { proposal_id } = artifactExamples.writeback_proposal

const proposal = {
  proposal: property.text('Id of a proposal; if several missions have it, give the mission too.', proposal_id),
  mission: Type.Optional(MissionReference),
}

const Listed = Type.Object({
  status: Type.Enum(PROPOSAL_STATUSES, { description: '`open` until someone decides on it or begins to apply it.' }),
  proposal: ArtifactOutput<WritebackProposal>(),
  application: Type.Union([WritebackApplicationSchema, Type.Null()]),
})

export const list = operation({
  name: 'proposals.list',
  summary: 'List the changes that missions propose, with their status',
  description: 'With a `status`, a page may hold fewer proposals than `limit` and not be the last.',
  access: 'read',
  input: {
    mission: Type.Optional(MissionReference),
    status: Type.Optional(property.choice(PROPOSAL_STATUSES, 'Only proposals with this status.', 'open')),
    ...pageInput,
  },
  output: pageOf(Listed),
  examples: [{ ...exampleCaller, title: 'Waiting for a decision', given: [examplePut], input: { status: 'open' } }],
  async run({ mission, ...filter }, { contracts }, context) {
    const scope = { tenantId: requireTenant(context), missionId: mission }
    return asPage(await contracts.proposals.list({ ...filter, ...scope }))
  },
})

export const get = operation({
  name: 'proposals.get',
  summary: 'Get a proposal, its decisions and its status',
  access: 'read',
  input: proposal,
  output: Type.Object({ ...Listed.properties, decisions: Type.Array(ArtifactOutput<PolicyDecision>()) }),
  examples: [{ ...exampleCaller, title: 'A proposal', given: [examplePut], input: { proposal: proposal_id } }],
  async run({ proposal: id, mission: missionId }, { contracts }, context) {
    const found = await contracts.proposals.get(id, { tenantId: requireTenant(context), missionId })
    const { application = null, decisions } = found
    const status: ProposalStatus = application?.status ?? 'open'
    return { status, proposal: found.proposal, application, decisions: [...decisions] }
  },
})

function decision(verb: 'approve' | 'reject', summary: string) {
  return operation({
    name: `proposals.${verb}`,
    summary,
    description: 'The caller becomes the producer of a policy decision.',
    access: 'approve',
    atomic: true,
    input: { ...proposal, reason: property.text('Why.', 'Agreed with the client.') },
    output: WritebackApplicationSchema,
    examples: [
      {
        ...exampleCaller,
        title: 'With a reason',
        given: [examplePut],
        input: { proposal: proposal_id, reason: 'Agreed with the client.' },
      },
    ],
    run({ proposal: id, mission: missionId, reason }, { contracts }, context) {
      const scope = { tenantId: requireTenant(context), missionId }
      return contracts.proposals[verb](id, { by: context.by ?? '', reason, ...scope })
    },
  })
}

export const approve = decision('approve', 'Allow a proposal to be applied')
export const reject = decision('reject', 'Reject a proposal permanently')
