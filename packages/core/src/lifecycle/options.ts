import type { IdSource } from '../ids.js'
import type { Clock } from '../time/clock.js'

export interface LifecycleOptions {
  /** Clock for timestamps. Default: the system clock. */
  readonly clock?: Clock | undefined
  /** The author: becomes createdBy, updatedBy or deletedBy. */
  readonly by?: string | undefined
}

export interface CreateOptions extends LifecycleOptions {
  /** Generator for the id of a new minion. Default: UUID v4. */
  readonly generateId?: IdSource | undefined
}
