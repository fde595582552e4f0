/** Milliseconds to wait, on closing, for a server that does not answer. */
export const GRACE = 1000

/** A worker of BullMQ on one queue. */
export interface TicketWorker {
  /** Fetches no more tickets; current ones are finished. */
  pause(): Promise<void>
  close(): Promise<void>
}

/** BullMQ on one of its backends. */
export interface Engine {
  /** Adds tickets to a queue, due after so many milliseconds. One says that jobs may be waiting, which are in the store. */
  add(queue: string, delays: readonly number[]): Promise<void>
  /** Fetches tickets from now on, or once the server is back. A ticket is finished when the promise resolves. */
  work(name: string, perform: () => Promise<void>): TicketWorker
  /** Stores a value under a name unless there is one; resolves to the stored one. */
  keep(name: string, value: string): Promise<string>
  close(): Promise<void>
}
