import type { Approvals } from '@minions/approvals'
import type { ArtifactFilter, ProposalFilter, Proposals, TenantReader } from '@minions/colony-contracts'
import { everyPage, type Minions } from '@minions/core'
import type { SkillsApi } from '../app/skills-app.js'
import { pick, type ReferenceKind } from './references.js'

/** The id of a subagent from its id, a prefix or its name. */
export function agentMeant(api: SkillsApi, reference: string): Promise<string> {
  return meant(reference, () => api.list(), {
    what: 'a subagent',
    list: 'minions agents list',
    named: ({ agent_id, name }) => ({ id: agent_id, name: name ?? undefined }),
  })
}

/** The id of an execution from its id or a prefix. */
export function executionMeant(api: SkillsApi, reference: string): Promise<string> {
  return meant(reference, () => api.executions(), {
    what: 'an execution',
    list: 'minions executions list',
    named: ({ execution_id }) => ({ id: execution_id }),
  })
}

/** The id of a tenant's mission from its id, a prefix or its goal. */
export function missionMeant(reader: TenantReader, reference: string): Promise<string> {
  return meant(reference, () => everyPage((page) => reader.list('mission_envelope', page)), {
    what: 'a mission',
    list: `minions artifacts list --kind mission_envelope --tenant ${reader.tenantId}`,
    named: ({ mission_id, user_goal }) => ({ id: mission_id, name: user_goal }),
  })
}

/** The id of a task from its id or a prefix. A mission may have artifacts of tasks that are not in its graph. */
export async function taskMeant(
  reader: TenantReader,
  scope: Pick<ArtifactFilter, 'missionId'>,
  reference: string,
): Promise<string> {
  const graphs = await everyPage((page) => reader.list('mission_task_graph', { ...scope, ...page }))
  const tasks = graphs.flatMap((graph) => graph.tasks.map(({ task_id }) => task_id))
  if (!tasks.some((id) => id.startsWith(reference))) return reference
  return idMeant(reference, tasks, 'a task', `minions artifacts list --tenant ${reader.tenantId}`)
}

/** The id of a proposal from its id or a prefix; several missions may have one of that id. */
export async function proposalMeant(
  proposals: Proposals,
  scope: Pick<ProposalFilter, 'tenantId' | 'missionId'>,
  reference: string,
): Promise<string> {
  const all = await everyPage((page) => proposals.list({ ...scope, ...page }))
  const ids = all.map(({ proposal }) => proposal.proposal_id)
  return idMeant(reference, ids, 'a proposal', `minions proposals list --tenant ${scope.tenantId}`)
}

interface ApprovalScope {
  readonly tenant?: string
}

/** The id of an approval from its id or a prefix. */
export async function approvalMeant(api: Approvals, scope: ApprovalScope, reference: string): Promise<string> {
  if (/^apr_[0-9a-f]{32}$/.test(reference)) return reference
  const all = await everyPage((page) => api.list({ ...scope, ...page }))
  const ids = all.map(({ approval_id }) => approval_id)
  return idMeant(reference, ids, 'an approval', 'minions approvals list --all')
}

/** The id of a mission with approvals from its id or a prefix. */
export async function askingMissionMeant(api: Approvals, scope: ApprovalScope, reference: string): Promise<string> {
  if (isWholeId(reference)) return reference
  const all = await everyPage((page) => api.list({ ...scope, ...page }))
  const missions = all.flatMap(({ call: { mission_id } }) => (typeof mission_id === 'string' ? [mission_id] : []))
  return idMeant(reference, missions, 'a mission with approvals', 'minions approvals list --all --json')
}

/** The id of a relation from its id or a prefix. */
export function relationMeant(app: Minions, reference: string): Promise<string> {
  return meant(reference, () => everyPage((page) => app.findRelations({ includeDeleted: true, ...page })), {
    what: 'a relation',
    list: 'minions graph --json',
    named: ({ id }) => ({ id }),
  })
}

/** The id among several that a reference means, in full or by a prefix. */
export function idMeant(reference: string, ids: readonly string[], what: string, list: string): string {
  return pick(reference, [...new Set(ids)], { what, list, named: (id) => ({ id }) })
}

/** The id that a reference means. A whole id is looked up as it is; the lookup reports one that does not exist. */
async function meant<T>(reference: string, all: () => Promise<readonly T[]>, kind: ReferenceKind<T>): Promise<string> {
  return isWholeId(reference) ? reference : kind.named(pick(reference, await all(), kind)).id
}

function isWholeId(reference: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(reference)
}
