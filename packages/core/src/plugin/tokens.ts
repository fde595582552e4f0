import type { MinionsEvents } from '../client/events.js'
import type { Minions } from '../client/minions.js'
import type { TypedEmitter } from '../events/typed-emitter.js'
import type { IdSource } from '../ids.js'
import type { StoreAccess } from '../storage/access.js'
import type { StorageBackend } from '../storage/backend.js'
import type { Clock } from '../time/clock.js'
import type { TypeRegistry } from '../types/type-registry.js'
import type { Logger } from './logger.js'
import { createToken } from './token.js'

/** Services that every app has. `backend`, `clock`, `ids` and `logger` can be overridden before the store is opened. */
export const tokens = {
  /** The client, for plugins whose records are minions; inside a transaction, its client. */
  client: createToken<Minions>('@minions/core/client'),
  /** The store, for collections that the plugin declared; inside a transaction, that transaction. */
  store: createToken<StoreAccess>('@minions/core/store'),
  /** The storage backend behind the store. */
  backend: createToken<StorageBackend>('@minions/core/backend'),
  registry: createToken<TypeRegistry>('@minions/core/registry'),
  events: createToken<TypedEmitter<MinionsEvents>>('@minions/core/events'),
  clock: createToken<Clock>('@minions/core/clock'),
  ids: createToken<IdSource>('@minions/core/ids'),
  /** A logger that adds the name of the requesting plugin to every line. */
  logger: createToken<Logger>('@minions/core/logger'),
} as const
