import type { JsonObject } from '@minions/core/json'
import type { Message } from '../../bus/message/message-schema.js'
import type { MessageOptions, WaitOptions } from '../../skills/definition/skill-context.js'

/** The part of a message bus that the engine needs: acting as an agent. `signal` ends a wait. */
export interface AgentMessages {
  publish(senderId: string, topic: string, payload: JsonObject, options?: MessageOptions): Promise<Message>
  send(senderId: string, recipientId: string, payload: JsonObject, options?: MessageOptions): Promise<Message>
  request(
    senderId: string,
    recipientId: string,
    payload: JsonObject,
    options?: MessageOptions & WaitOptions & { readonly signal?: AbortSignal },
  ): Promise<Message>
  reply(
    senderId: string,
    request: Message,
    payload: JsonObject,
    options?: Omit<MessageOptions, 'correlation_id'> & { readonly message_type?: 'response' | 'error' },
  ): Promise<Message>
  receive(agentId: string, options?: WaitOptions & { readonly signal?: AbortSignal }): Promise<Message>
}
