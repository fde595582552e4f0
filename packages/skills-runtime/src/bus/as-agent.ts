import type { AgentMessages } from '../runtime/engine/agent-messages.js'
import type { MessageBus } from './message-bus.js'

/** The bus as the engine uses it: every call is made as the running agent, whatever the skill passes. */
export function asAgent(bus: MessageBus): AgentMessages {
  return {
    publish: (sender_id, topic, payload, options) => bus.publish(topic, payload, { ...options, sender_id }),
    send: (sender_id, recipientId, payload, options) => bus.send(recipientId, payload, { ...options, sender_id }),
    request: (sender_id, recipientId, payload, options) => bus.request(recipientId, payload, { ...options, sender_id }),
    reply: (sender_id, request, payload, options) => bus.reply(request, payload, { ...options, sender_id }),
    receive: (agentId, options) => bus.receive(agentId, options),
  }
}
