import type { AgentPresence } from '../../bus/bus-options.js'
import { MessageBus } from '../../bus/message-bus.js'
import type { Runtime } from '../engine/runtime.js'
import { isFinal } from '../subagents/agent-state.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import type { SubagentManagerOptions } from './options.js'

/** The bus of a manager: it knows the manager's subagents, and a subagent that ends gets no more messages. */
export function createBus(
  { state, clock, timers, log, events }: Omit<Runtime, 'messages'>,
  { messages: { persistence, ...settings } = {}, transport, storage }: SubagentManagerOptions,
  runsHere: (agentId: string) => boolean,
): MessageBus {
  const bus = new MessageBus({
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
  events.on('agent.transition', ({ agent_id, to }) => {
    if (isFinal(to)) bus.closeMailbox(agent_id)
  })
  return bus
}

function presenceOf(agent: Subagent | undefined): AgentPresence {
  if (agent === undefined) return false
  return isFinal(agent.state) ? 'ended' : true
}
