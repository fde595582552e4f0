import type { MinionsError } from '@minions/core'
import { skillsError } from '../../errors.js'

export function interrupted(agentId: string): MinionsError {
  const message = `The run of the subagent "${agentId}" was interrupted by a shutdown; resume it to continue.`
  return skillsError('INTERRUPTED', message, { details: { agent_id: agentId } })
}

export function leaseLost(agentId: string): MinionsError {
  const message = `The subagent "${agentId}" was taken over or ended elsewhere; nothing more is committed here.`
  return skillsError('LEASE_LOST', message, { details: { agent_id: agentId } })
}

export function cancelled(agentId: string): MinionsError {
  return skillsError('CANCELLED', `The subagent "${agentId}" was cancelled.`, { details: { agent_id: agentId } })
}
