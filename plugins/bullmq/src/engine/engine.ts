/** Milliseconds to wait, at the end, for a server that does not answer. */
export const GRACE = 1000

/** Says that jobs may wait in a queue. The jobs themselves are in the store. */
interface Ticket {
  /** Milliseconds after which it is due. */
  readonly delay: number
}

/** A queue of BullMQ, as far as it is needed to add to it. */
export interface TicketQueue {
  add(tickets: readonly Ticket[]): Promise<void>
}

/** A worker of BullMQ on one queue. */
export interface TicketWorker {
  /** Fetches no more tickets; those in its hands go on. */
  pause(): Promise<void>
  close(): Promise<void>
}

/** BullMQ on one of its backends. */
export interface Engine {
  queue(name: string): TicketQueue
  /** Fetches tickets from now on, or once the server is there again. A ticket is done with when the promise resolves. */
  work(name: string, perform: () => Promise<void>): TicketWorker
  /** Keeps a value under a name unless there is one; resolves to the one that is there. */
  keep(name: string, value: string): Promise<string>
  close(): Promise<void>
}
