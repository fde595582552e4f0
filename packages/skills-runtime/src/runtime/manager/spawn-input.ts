import { copyJson, getOwn, isRecord, type JsonObject } from '@minions/core/json'
import { assertValid, attributeIssue } from '../../validation.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import { validateSubagent } from '../subagents/validate-subagent.js'

/** Input for creating a subagent. */
export interface SpawnInput {
  /** At most 100 characters. */
  readonly name?: string | null
  /** At most 20 keys. `mission_id` and `task_id` appear in events and log lines. */
  readonly metadata?: JsonObject | null
}

const WHAT = 'The subagent'

export function newSubagent(input: SpawnInput | undefined, agentId: string, time: string): Subagent {
  if (input === undefined) return blank(agentId, time, null)
  if (!isRecord(input)) assertValid(WHAT, [attributeIssue('', 'TYPE', 'must have an object as its input')])
  const unknown = Object.keys(input).filter((key) => key !== 'name' && key !== 'metadata')
  assertValid(
    WHAT,
    unknown.map((key) => attributeIssue(key, 'UNKNOWN', 'cannot be set; only name and metadata can')),
  )
  const name = (getOwn(input, 'name') ?? null) as string | null
  const metadata = (getOwn(input, 'metadata') ?? undefined) as JsonObject | undefined
  const agent = blank(agentId, time, name)
  if (name === null && metadata === undefined) return agent
  const given = { ...agent, metadata: metadata ?? {} }
  assertValid(WHAT, validateSubagent(given).errors)
  return { ...given, metadata: copyJson(given.metadata) }
}

function blank(agent_id: string, created_at: string, name: string | null): Subagent {
  return {
    agent_id,
    name,
    state: 'idle',
    assigned_skill: null,
    skill_params: null,
    results: {},
    error: null,
    created_at,
    started_at: null,
    completed_at: null,
    metadata: {},
  }
}
