import type { TypedEmitter } from '../events/typed-emitter.js'
import type { IdSource } from '../ids.js'
import { cloneJson } from '../json/clone.js'
import type { StoreAccess, StoreTransaction } from '../storage/access.js'
import { runOutside } from '../storage/transaction-scope.js'
import type { Clock } from '../time/clock.js'
import type { ChangeHooks } from './changes/change.js'
import type { MinionsEvents, RecordEvent } from './events.js'
import type { Conversion } from './evolution/conversions.js'
import type { DeriveMinion } from './objects/derive.js'
import type { TypeState } from './types/type-state.js'

/** The context of every client operation. Inside a transaction `store` is that transaction. */
export interface Session extends ChangeHooks {
  readonly store: StoreAccess
  readonly types: TypeState
  readonly clock: Clock
  readonly generateId: IdSource
  readonly events: TypedEmitter<MinionsEvents>
  /** The transforms known here, by type id. */
  readonly conversions: Map<string, Conversion>
  /** The derivations of types, by type id. */
  readonly derive: ReadonlyMap<string, DeriveMinion>
}

/** The author of a change. */
export interface By {
  readonly by?: string | undefined
}

/** Notifies listeners of a change once it is committed. Each gets its own copy. */
export function announce<Name extends keyof MinionsEvents>(
  session: Session,
  tx: Pick<StoreTransaction, 'afterCommit'>,
  name: Name,
  event: MinionsEvents[Name],
): void {
  if (session.events.listenerCount(name) === 0) return
  const { record, revision, by } = event as RecordEvent<unknown>
  const copy = cloneJson(record)
  tx.afterCommit(() =>
    runOutside(() => session.events.emit(name, { record: copy, revision, by } as MinionsEvents[Name])),
  )
}
