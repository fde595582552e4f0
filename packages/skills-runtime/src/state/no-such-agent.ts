import { skillsError } from '../errors.js'
import { isShort } from '../validation.js'

export function noSuchAgent(agentId: unknown) {
  const shown = isShort(agentId) ? `"${agentId}"` : 'with this id'
  return skillsError('NOT_FOUND', `There is no subagent ${shown}; spawn one first.`, {
    details: isShort(agentId) ? { agent_id: agentId } : {},
  })
}
