import type { FinishedOperation } from '../operations/catalogue.js'
import type { Minion } from '../schemas/minion.js'
import type { MinionType } from '../schemas/minion-type.js'
import type { Relation } from '../schemas/relation.js'

/** What happened to a record, told after it was committed. */
export interface RecordEvent<T> {
  readonly record: T
  /** The revision it has now; of a removed record, the last one it had. */
  readonly revision: string
  /** Who did it, if that was said. */
  readonly by: string | undefined
}

/** The events of a client, by name. */
export interface MinionsEvents {
  'minion.created': RecordEvent<Minion>
  'minion.updated': RecordEvent<Minion>
  'minion.deleted': RecordEvent<Minion>
  'minion.restored': RecordEvent<Minion>
  'minion.purged': RecordEvent<Minion>
  'relation.created': RecordEvent<Relation>
  'relation.removed': RecordEvent<Relation>
  'type.registered': RecordEvent<MinionType>
  'type.evolved': RecordEvent<MinionType>
  'operation.finished': FinishedOperation
}
