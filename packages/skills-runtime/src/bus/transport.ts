import type { SentMessage } from './delivery.js'

/** A bus, as a transport sees it. */
export interface TransportEndpoint {
  /**
   * Takes a message for the subscribers or the agent at this endpoint; false when there are none. A promise resolves when
   * the message is in its mailboxes, which is how a full one slows its senders down; a
   * rejection is for the sender. `composedAt` is the time in milliseconds by this endpoint's own clock, and saves reading it
   * when the message was composed here in the same go.
   */
  deliver(message: SentMessage, composedAt?: number): boolean | Promise<boolean>
}

/** The way from one endpoint to all others and to itself. */
export interface TransportLink {
  /**
   * Brings a message with a topic to every endpoint, the sender's own included, and one with a recipient to the first that
   * takes it. Each endpoint gets it at most once, and messages of one link arrive in the order of the calls. Answers how
   * many endpoints took it; zero means that it has been nowhere. A transport that delivers to the sender's own endpoint before
   * it returns may hand `composedAt` on to it, and to no other.
   */
  dispatch(message: SentMessage, composedAt?: number): number | Promise<number>
  /** Takes this endpoint off the transport. */
  close(): void | Promise<void>
}

/** Carries messages between buses. The one in this package stays within the process. */
export interface MessageTransport {
  connect(endpoint: TransportEndpoint): TransportLink
  /** Ends all links; what is dispatched afterwards reaches nobody. */
  close(): void | Promise<void>
}
