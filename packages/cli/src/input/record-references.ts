import type { TenantReader } from '@minions/colony-contracts'
import type { SkillsApi } from '../app/skills-app.js'
import { pick } from './references.js'

/** The id of a subagent, of which the id, its beginning or the name is given. */
export async function agentMeant(api: SkillsApi, reference: string): Promise<string> {
  if (isWholeId(reference)) return reference
  return pick(reference, await api.list(), {
    what: 'a subagent',
    list: 'minions agents list',
    named: ({ agent_id, name }) => ({ id: agent_id, name: name ?? undefined }),
  }).agent_id
}

/** The id of an execution, of which the id or its beginning is given. */
export async function executionMeant(api: SkillsApi, reference: string): Promise<string> {
  if (isWholeId(reference)) return reference
  return pick(reference, await api.executions(), {
    what: 'an execution',
    list: 'minions executions list',
    named: ({ execution_id }) => ({ id: execution_id }),
  }).execution_id
}

/** The id of a mission of a tenant, of which the id, its beginning or the goal is given. */
export async function missionMeant(reader: TenantReader, reference: string): Promise<string> {
  if (isWholeId(reference)) return reference
  const missions: { readonly mission_id: string; readonly user_goal: string }[] = []
  let cursor: string | undefined
  do {
    const page = await reader.list('mission_envelope', cursor === undefined ? {} : { cursor })
    missions.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pick(reference, missions, {
    what: 'a mission',
    list: `minions artifacts list --kind mission_envelope --tenant ${reader.tenantId}`,
    named: ({ mission_id, user_goal }) => ({ id: mission_id, name: user_goal }),
  }).mission_id
}

/** True for a whole id, which is looked up as it is; the lookup reports one that does not exist. */
function isWholeId(reference: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(reference)
}
