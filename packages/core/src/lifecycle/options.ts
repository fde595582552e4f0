import type { IdSource } from '../ids.js'
import type { Clock } from '../time/clock.js'

export interface LifecycleOptions {
  /** Where timestamps come from. Default: the system clock. */
  readonly clock?: Clock | undefined
  /** Who does it: becomes createdBy, updatedBy or deletedBy. */
  readonly by?: string | undefined
}

export interface CreateOptions extends LifecycleOptions {
  /** Where the id of a new minion comes from. Default: UUID v4. */
  readonly generateId?: IdSource | undefined
}
