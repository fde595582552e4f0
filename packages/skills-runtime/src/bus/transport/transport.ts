import { createToken } from '@minions/core/plugin'
import type { SentMessage } from '../message/sent-message.js'

/** A bus, as a transport sees it. */
export interface TransportEndpoint {
  /**
   * Accepts a message for the subscribers or the agent at this endpoint; false if there are none. A promise resolves
   * when the message is in its mailboxes, which is how a full one slows its senders down; a rejection is for the
   * sender. `composedAt` is the time in milliseconds by this endpoint's own clock, and saves reading the clock when the
   * message was just composed here. `age` is the age of the message in milliseconds, for a transport between machines
   * whose clocks may differ; without it, the timestamp is used.
   */
  deliver(message: SentMessage, composedAt?: number, age?: number): boolean | Promise<boolean>
  /**
   * True if a message with a recipient belongs here rather than to an endpoint that would merely accept it: a caller
   * waits for this response, or the recipient receives here.
   */
  expects?(message: SentMessage): boolean
  /** Releases the messages of an agent that receives at another endpoint from now on, in delivery order. */
  release?(agentId: string): readonly SentMessage[]
}

/** The link from one endpoint to all endpoints, including itself. */
export interface TransportLink {
  /**
   * Delivers a message with a topic to every endpoint, including the sender's own, and one with a recipient to the
   * endpoint that expects it, or else the first that accepts it. Each endpoint gets it at most once, and messages of
   * one link arrive in the order of the calls. Returns how many endpoints accepted it; zero means that it was delivered
   * nowhere. A transport that delivers to the sender's own endpoint before it returns may pass `composedAt` to it, and
   * to no other.
   */
  dispatch(message: SentMessage, composedAt?: number): number | Promise<number>
  /** Announces that an agent receives at this endpoint from now on; messages waiting for it elsewhere are sent here. */
  claim?(agentId: string): void
  /** Disconnects this endpoint from the transport. */
  close(): void | Promise<void>
}

/** Carries messages between buses. The one in this package stays within the process. */
export interface MessageTransport {
  connect(endpoint: TransportEndpoint): TransportLink
  /** Ends all links; what is dispatched afterwards is not delivered. */
  close(): void | Promise<void>
}

/** The service that carries messages between the processes of an app. Without it they stay in the process. */
export const messageTransport = createToken<MessageTransport>('@minions/skills-runtime/transport')
