import { coreError } from '@minions/core'
import { isRecord } from '@minions/core/json'
import { operationRef } from '@minions/core/operations'
import type { InputRequest } from '@modelcontextprotocol/server'
import { type Static, Type } from 'typebox'
import type { McpCall } from '../door/mcp-call.js'
import { mcpError } from '../errors.js'

/** A mission, within its tenant. */
export interface MissionReference {
  readonly tenant: string
  readonly mission: string
}

const listProposals = operationRef(
  'proposals.list',
  Type.Object({ items: Type.Array(Type.Object({ proposal: Type.Record(Type.String(), Type.Unknown()) })) }),
)
const getProposal = operationRef('proposals.get', Type.Object({ status: Type.String() }))

const DECISIONS = ['approve', 'reject'] as const

/** True if the person behind the client can be asked, and may decide. */
function canDecide(call: McpCall, area: 'proposals' | 'approvals'): boolean {
  return call.client.elicitation !== undefined && call.may(`${area}.approve`) && call.may(`${area}.list`)
}

/** What a mission waits for a person to decide: its open proposals, by their ids. */
export async function openQuestions(of: MissionReference, call: McpCall): Promise<Record<string, InputRequest>> {
  if (!canDecide(call, 'proposals')) return {}
  const within = call.within(of.tenant)
  const page = await within.run(listProposals, { mission: of.mission, status: 'open', limit: 100 })
  return Object.fromEntries(page.items.map(({ proposal }) => [String(proposal.proposal_id), questionOf(proposal)]))
}

/** An approval, as far as it is shown. */
const ShownApproval = Type.Object({
  approval_id: Type.String(),
  why: Type.String(),
  asked_by: Type.String(),
  call: Type.Object({
    kind: Type.String(),
    name: Type.String(),
    arguments: Type.Record(Type.String(), Type.Unknown()),
  }),
})
type ShownApproval = Static<typeof ShownApproval>

const listApprovals = operationRef('approvals.list', Type.Object({ items: Type.Array(ShownApproval) }))

/** What a mission that runs waits for a person to decide: its pending approvals, by their ids. */
export async function awaitedDecisions(of: MissionReference, call: McpCall): Promise<Record<string, InputRequest>> {
  if (!canDecide(call, 'approvals')) return {}
  const filter = { mission: of.mission, status: 'pending', limit: 100 }
  const page = await call.within(of.tenant).run(listApprovals, filter)
  // The person who asked cannot decide.
  const others = page.items.filter(({ asked_by }) => asked_by !== call.caller.by)
  return Object.fromEntries(others.map((approval) => [approval.approval_id, approvalQuestion(approval)]))
}

function approvalQuestion({ why, asked_by, call }: ShownApproval): InputRequest {
  const shown = JSON.stringify(call.arguments, null, 2).slice(0, 4000)
  return asked(`A mission of ${asked_by} asks for the ${call.kind} "${call.name}": ${why}\n${shown}`)
}

function questionOf(proposal: Readonly<Record<string, unknown>>): InputRequest {
  const shown = JSON.stringify(proposal.proposed_change ?? proposal, null, 2).slice(0, 4000)
  return asked(`A mission proposes a change. May it be applied?\n${shown}`)
}

function asked(message: string): InputRequest {
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message,
      requestedSchema: {
        type: 'object',
        properties: {
          decision: { type: 'string', title: 'Decision', enum: [...DECISIONS] },
          reason: { type: 'string', title: 'Reason', maxLength: 1000 },
        },
        required: ['decision'],
      },
    },
  }
}

/**
 * Records a person's decision on a proposal or an approval. The first decision wins: a later one throws `CONFLICT`. A
 * postponed answer decides nothing.
 */
export async function decide(of: MissionReference, proposal: string, response: unknown, call: McpCall): Promise<void> {
  const answer = isRecord(response) ? response : {}
  if (answer.action === 'cancel') return
  const { decision, reason } = decisionIn(answer)
  const within = call.within(of.tenant)
  if (proposal.startsWith('apr_')) {
    await within.run(`approvals.${decision}`, { approval: proposal, reason })
    return
  }
  const standing = await within.run(getProposal, { proposal, mission: of.mission })
  if (standing.status !== 'open') throw decided(proposal)
  try {
    await within.run(`proposals.${decision}`, { proposal, mission: of.mission, reason })
  } catch (error) {
    throw coreError.is(error, 'CONFLICT') ? decided(proposal, error) : error
  }
}

function decisionIn({ action, content }: Readonly<Record<string, unknown>>) {
  if (action === 'decline') return { decision: 'reject', reason: 'Declined.' } as const
  const { decision, reason } = isRecord(content) ? content : {}
  const known = DECISIONS.find((each) => each === decision)
  if (action === 'accept' && known !== undefined && (reason === undefined || typeof reason === 'string')) {
    return { decision: known, reason: reason || 'No reason was given.' }
  }
  throw mcpError('VALIDATION_FAILED', 'An answer needs `decision`: "approve" or "reject", and may have a `reason`.')
}

function decided(proposal: string, cause?: unknown): Error {
  return mcpError('CONFLICT', `The proposal "${proposal.slice(0, 100)}" was already decided; see proposals.get.`, {
    cause,
  })
}
