import type { StoreTransaction } from '@minions/core'
import type { SkillsEvents } from '../engine/events.js'
import { skillsError } from '../errors.js'
import type { Subagent } from '../subagent/subagent-schema.js'
import { SubagentManager } from './subagent-manager.js'

/** What happens to records inside a transaction is told when it is committed. */
const FORWARDED = [
  'agent.spawned',
  'agent.pause-requested',
  'agent.transition',
] as const satisfies (keyof SkillsEvents)[]

/**
 * A manager as part of a transaction: it makes, reads and pauses subagents. Whatever runs skills or waits does work
 * that cannot be rolled back, and is refused.
 */
export class JoinedManager extends SubagentManager {
  constructor(manager: SubagentManager, transaction: StoreTransaction) {
    super({ ...manager.parts, storage: transaction })
    for (const name of FORWARDED) {
      this.events.on(name, (event) => transaction.afterCommit(() => manager.events.emit(name, event as never)))
    }
  }

  override run(): Promise<never> {
    return refuse('run')
  }

  override runChain(): Promise<never> {
    return refuse('runChain')
  }

  override resume(): Promise<Subagent> {
    return refuse('resume')
  }

  override cancel(): Promise<Subagent> {
    return refuse('cancel')
  }

  override wait(): Promise<Subagent> {
    return refuse('wait')
  }

  override shutdown(): Promise<void> {
    return refuse('shutdown')
  }
}

async function refuse(method: string): Promise<never> {
  throw skillsError('CAPABILITY_MISSING', `"${method}" cannot be part of a transaction; use app.skills outside of it.`)
}
