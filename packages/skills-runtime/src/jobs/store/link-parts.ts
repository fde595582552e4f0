import type { Clock } from '@minions/core'
import type { Timers } from '@minions/core/coordination'
import type { Logger } from '@minions/core/plugin'
import type { StoreAccess, Wake } from '@minions/core/storage'
import type { Job } from '../job/job-schema.js'
import type { JobLedger } from './job-ledger.js'
import type { WorkerRoster } from './worker-roster.js'

export interface LinkParts {
  readonly store: StoreAccess
  readonly ledger: JobLedger
  readonly roster: WorkerRoster
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Logger
  readonly leaseMs: number
  /** Calls back after commits of any process; returns a function that ends it. */
  readonly watch: (wake: Wake) => () => void
  readonly host: { readonly name: string; readonly pid: number }
  /**
   * Notifies workers of waiting jobs through `StoreLink.ring`, instead of `watch`; missed jobs are found within two
   * seconds.
   */
  readonly announce?: ((jobs: readonly Job[]) => void) | undefined
  /** Called for jobs that ended or were returned here. */
  readonly changed: () => void
  /** Called for jobs taken from a dead worker. */
  readonly taken: (workerId: string, jobs: readonly Job[]) => void
}
