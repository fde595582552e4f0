import type { EventSource } from '@minions/core/operations'
import type { Contributed, Logger, SharedLimits } from '@minions/core/plugin'
import type { Answers } from './answers/answers.js'
import type { Housekeeping } from './housekeeping.js'
import type { ApiKeys } from './keys/api-keys.js'
import type { MountedRoutes } from './routes/mounted-routes.js'
import type { Runs } from './runs/runs.js'

/** The server's API in an app: `app.server`. */
export interface ServerApi {
  readonly keys: ApiKeys
  /** Long-running operations. */
  readonly runs: Runs
  /** First answers to requests with an idempotency key. */
  readonly answers: Answers
  readonly housekeeping: Housekeeping
  /** Routes of other plugins, in start order. */
  readonly routes: readonly Contributed<MountedRoutes>[]
  /** Collections whose changes callers may receive. */
  readonly sources: readonly EventSource[]
  readonly logger: Logger
  /** Shares limits with other processes; undefined where no plugin does. */
  readonly limits: SharedLimits | undefined
}
