/** Milliseconds to wait, at the end, for a server that does not answer. */
export const GRACE = 1000

/** What BullMQ carries: which queue a job waits in. The job itself is in the store. */
export interface Ticket {
  readonly job_id: string
}

/** What is told of a ticket when it is added. */
export interface NewTicket extends Ticket {
  /** Milliseconds. */
  readonly delay: number
}

/** What becomes of a ticket: it is done with, or it is offered again, at once or after some milliseconds. */
export type TicketOutcome = 'done' | { readonly againIn: number }

/** A queue of BullMQ, as far as it is needed to add to it. */
export interface TicketQueue {
  add(tickets: readonly NewTicket[]): Promise<void>
}

/** A worker of BullMQ on one queue. */
export interface TicketWorker {
  /** Fetches no more tickets; those in its hands go on. */
  pause(): Promise<void>
  resume(): void
  close(): Promise<void>
}

/** BullMQ on one of its backends. */
export interface Engine {
  queue(name: string): TicketQueue
  /** Fetches tickets from now on, or once the server is there again. */
  work(name: string, concurrency: number, perform: (ticket: Ticket) => Promise<TicketOutcome>): TicketWorker
  /** Keeps a value under a name unless there is one; resolves to the one that is there. */
  keep(name: string, value: string): Promise<string>
  close(): Promise<void>
}
