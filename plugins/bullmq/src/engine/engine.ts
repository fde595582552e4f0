/** Milliseconds to wait, on closing, for a server that does not answer. */
export const GRACE = 1000

/** A ticket: jobs may be waiting in a queue. The jobs themselves are in the store. */
interface Ticket {
  /** Milliseconds after which it is due. */
  readonly delay: number
}

/** The part of a BullMQ queue needed to add to it. */
export interface TicketQueue {
  add(tickets: readonly Ticket[]): Promise<void>
}

/** A worker of BullMQ on one queue. */
export interface TicketWorker {
  /** Fetches no more tickets; current ones are finished. */
  pause(): Promise<void>
  close(): Promise<void>
}

/** BullMQ on one of its backends. */
export interface Engine {
  queue(name: string): TicketQueue
  /** Fetches tickets from now on, or once the server is back. A ticket is finished when the promise resolves. */
  work(name: string, perform: () => Promise<void>): TicketWorker
  /** Stores a value under a name unless there is one; resolves to the stored one. */
  keep(name: string, value: string): Promise<string>
  close(): Promise<void>
}
