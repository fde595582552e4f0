import type { Clock } from '@minions/core'
import type { Timers } from '@minions/core/coordination'
import type { Logger } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'

/** What every part of approvals works with. */
export interface ApprovalServices {
  readonly storage: StoreAccess
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Logger
}
