import type { FinishedOperation } from '../operations/catalogue.js'
import type { Minion } from '../schemas/minion.js'
import type { MinionType } from '../schemas/minion-type.js'
import type { Relation } from '../schemas/relation.js'

/** A change to a record, emitted after it was committed. */
export interface RecordEvent<T> {
  readonly record: T
  /** The current revision; for a removed record, its last one. */
  readonly revision: string
  /** The author, if known. */
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
