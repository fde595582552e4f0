import type { StoreTransaction } from '@minions/core/storage'
import { SubagentManager } from './subagent-manager.js'

/** Events of what happens inside a transaction are emitted when it is committed. */
const FORWARDED = ['agent.spawned', 'agent.pause-requested', 'agent.transition'] as const

/** The manager inside a transaction: it creates, reads and pauses subagents. Runs of skills cannot be rolled back. */
export type SkillsTransaction = Pick<
  SubagentManager,
  'registry' | 'spawn' | 'pause' | 'get' | 'list' | 'executions' | 'stats'
>

/** The manager as part of a transaction. */
export function skillsIn(manager: SubagentManager, transaction: StoreTransaction): SkillsTransaction {
  const inside = new SubagentManager({ ...manager.parts, storage: transaction })
  for (const name of FORWARDED) {
    inside.events.on(name, (event) => transaction.afterCommit(() => manager.events.emit(name, event as never)))
  }
  return {
    registry: inside.registry,
    spawn: (input) => inside.spawn(input),
    pause: (agentId) => inside.pause(agentId),
    get: (agentId) => inside.get(agentId),
    list: (filter) => inside.list(filter),
    executions: (filter) => inside.executions(filter),
    stats: () => inside.stats(),
  }
}
