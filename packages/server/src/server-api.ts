import type { EventSource } from '@minions/core/operations'
import type { Contributed, Logger, SharedLimits } from '@minions/core/plugin'
import type { Answers } from './answers/answers.js'
import type { Housekeeping } from './housekeeping.js'
import type { ApiKeys } from './keys/api-keys.js'
import type { MountedRoutes } from './routes/mounted-routes.js'
import type { Runs } from './runs/runs.js'

/** What the server keeps in an app; the app has it as `app.server`. */
export interface ServerApi {
  readonly keys: ApiKeys
  /** Operations that take long. */
  readonly runs: Runs
  /** First answers to requests with an idempotency key. */
  readonly answers: Answers
  readonly housekeeping: Housekeeping
  /** Routes of other plugins, in start order. */
  readonly routes: readonly Contributed<MountedRoutes>[]
  /** Collections whose changes callers may hear of. */
  readonly sources: readonly EventSource[]
  readonly logger: Logger
  /** Shares limits with other processes; undefined where no plugin does. */
  readonly limits: SharedLimits | undefined
}
