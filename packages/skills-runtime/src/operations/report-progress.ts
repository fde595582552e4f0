import type { OperationContext } from '@minions/core/operations'
import type { SubagentManager } from '../runtime/manager/subagent-manager.js'

/**
 * Reports the progress of a subagent to a caller: completed skills, and progress of the current one. Returns a function
 * that ends it.
 */
export function reportProgress(
  { events }: SubagentManager,
  agentId: string,
  progress: OperationContext['progress'],
): () => void {
  let ended = 0
  const ends = [
    events.on('execution.progress', ({ agent_id, skill_name, fraction, note }) => {
      if (agent_id === agentId) progress({ done: ended + fraction, message: note ?? skill_name })
    }),
    events.on('execution.ended', ({ agent_id, skill_name, status }) => {
      if (agent_id !== agentId) return
      ended++
      progress({ done: ended, message: `${skill_name}: ${status}` })
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
