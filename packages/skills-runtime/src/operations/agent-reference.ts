import { property } from '@minions/core/operations'
import { skillsError } from '../errors.js'
import type { SubagentManager } from '../runtime/manager/subagent-manager.js'
import { noSuchAgent } from '../runtime/state/no-such-agent.js'

export const AgentReference = property.text('Id of a subagent, or its name if unique.', 'scout', { minLength: 1 })

/** The id of the subagent that a reference means. Throws `NOT_FOUND`, or `CONFLICT` for a name that several have. */
export async function agentIdOf(skills: SubagentManager, reference: string): Promise<string> {
  const [byId] = await skills.list({ agent_id: reference, limit: 1 })
  if (byId) return byId.agent_id
  const [byName, other] = await skills.list({ name: reference, limit: 2 })
  if (other) {
    throw skillsError('CONFLICT', `Several subagents are called "${reference.slice(0, 100)}"; give the id of one.`)
  }
  if (byName) return byName.agent_id
  throw noSuchAgent(reference)
}
