import type { Hono } from 'hono'
import type { Caller } from '../caller.js'
import type { Connection } from './authenticate.js'
import type { ReadOutcome } from './plain-reads.js'
import type { WorkSignal } from './work-signal.js'

/** What Hono carries through a request. */
export interface Environment {
  readonly Bindings: {
    readonly connection: Connection
    /** The outcome of a read that was started before the other steps of the request. */
    readonly outcome?: ReadOutcome | undefined
  }
  readonly Variables: {
    requestId: string
    caller: Caller
    /** Aborts the work for the request when it takes too long. */
    signal: WorkSignal
  }
}

export type Router = Hono<Environment>
