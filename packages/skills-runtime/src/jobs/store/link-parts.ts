import type { Clock } from '@minions/core'
import type { Timers } from '@minions/core/coordination'
import type { Logger } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'
import type { Job } from '../job/job-schema.js'
import type { JobLedger } from './job-ledger.js'
import type { WorkerRoster } from './worker-roster.js'

/** What the links of a store share. */
export interface LinkParts {
  readonly store: StoreAccess
  readonly ledger: JobLedger
  readonly roster: WorkerRoster
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Logger
  readonly leaseMs: number
  /** Calls back after commits of any process; returns how to end that. */
  readonly watch: (wake: () => void) => () => void
  readonly host: { readonly name: string; readonly pid: number }
  /** Tells workers of jobs that wait, by `StoreLink.ring`, in place of `watch`; what they do not hear of they find within a second. */
  readonly announce?: ((jobs: readonly Job[]) => void) | undefined
  /** Told of jobs that ended or were given back here. */
  readonly changed: () => void
  /** Told of jobs that wait and that no worker can do. */
  readonly unserved: (jobs: readonly Job[]) => void
  /** Told of jobs that were taken from a worker that is gone. */
  readonly taken: (workerId: string, jobs: readonly Job[]) => void
}
