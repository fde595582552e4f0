import type { SentMessage } from '../message/sent-message.js'

/** A bus, as a transport sees it. */
export interface TransportEndpoint {
  /**
   * Takes a message for the subscribers or the agent at this endpoint; false when there are none. A promise resolves when
   * the message is in its mailboxes, which is how a full one slows its senders down; a
   * rejection is for the sender. `composedAt` is the time in milliseconds by this endpoint's own clock, and saves reading it
   * when the message was composed here in the same go. `age` is how many milliseconds the message has lived, for a transport
   * between machines whose clocks may differ; without it, the timestamp tells.
   */
  deliver(message: SentMessage, composedAt?: number, age?: number): boolean | Promise<boolean>
  /**
   * Whether a message with a recipient belongs here rather than to an endpoint that would merely take it: a caller waits for
   * this response, or the recipient receives its mail here.
   */
  expects?(message: SentMessage): boolean
  /** Gives up the mail of an agent that receives at another endpoint from now on, in the order in which it would be received. */
  release?(agentId: string): readonly SentMessage[]
}

/** The way from one endpoint to all others and to itself. */
export interface TransportLink {
  /**
   * Delivers a message with a topic to every endpoint, the sender's own included, and one with a recipient to the one that
   * expects it, else to the first that takes it. Each endpoint gets it at most once, and messages of one link arrive in the order of the calls. Answers how
   * many endpoints took it; zero means that it has been nowhere. A transport that delivers to the sender's own endpoint before
   * it returns may hand `composedAt` on to it, and to no other.
   */
  dispatch(message: SentMessage, composedAt?: number): number | Promise<number>
  /** Says that an agent receives at this endpoint from now on; mail that waits for it elsewhere is sent here. */
  claim?(agentId: string): void
  /** Takes this endpoint off the transport. */
  close(): void | Promise<void>
}

/** Carries messages between buses. The one in this package stays within the process. */
export interface MessageTransport {
  connect(endpoint: TransportEndpoint): TransportLink
  /** Ends all links; what is dispatched afterwards is not delivered. */
  close(): void | Promise<void>
}
