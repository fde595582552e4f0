import { messageOf } from '@minions/core'
import type { Logger } from '@minions/core/plugin'
import type { AgentPresence } from '../../bus/bus-options.js'
import { MessageBus } from '../../bus/message-bus.js'
import { isFinal } from '../subagents/agent-state.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import type { RuntimeParts } from './create-runtime.js'
import type { SubagentManagerOptions } from './options.js'

/** The bus of a manager: it knows the manager's subagents. */
export function createBus(
  { state, clock, timers, log }: RuntimeParts,
  { messages: { persistence, ...settings } = {}, transport, storage }: SubagentManagerOptions,
  runsHere: (agentId: string) => boolean,
): MessageBus {
  return new MessageBus({
    ...settings,
    clock,
    timers,
    logger: log,
    ...(transport && { transport }),
    ...(persistence && storage && { store: storage }),
    runsHere,
    agents(agentId) {
      if (runsHere(agentId)) return true
      const found = state.agent(agentId)
      return found instanceof Promise ? found.then(presenceOf) : presenceOf(found)
    },
  })
}

/** What a bus does when a subagent has ended: it gets no more messages. */
export function closingMailboxes(bus: MessageBus, log: Logger): (agentId: string) => void {
  return (agentId) => {
    try {
      bus.closeMailbox(agentId)
    } catch (error) {
      log.error('a mailbox could not be closed', { agent_id: agentId, error: messageOf(error) })
    }
  }
}

function presenceOf(agent: Subagent | undefined): AgentPresence {
  if (agent === undefined) return false
  return isFinal(agent.state) ? 'ended' : true
}
