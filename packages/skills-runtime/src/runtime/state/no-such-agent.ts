import { isShort } from '@minions/core/schema'
import { skillsError } from '../../errors.js'
import { quoted } from '../../validation.js'

export function noSuchAgent(agentId: unknown) {
  return skillsError('NOT_FOUND', `There is no subagent ${quoted(agentId, 'with this id')}; spawn one first.`, {
    details: isShort(agentId) ? { agent_id: agentId } : {},
  })
}
