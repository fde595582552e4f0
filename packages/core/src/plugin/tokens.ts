import type { MinionsEvents } from '../client/events.js'
import type { TypedEmitter } from '../events/typed-emitter.js'
import type { IdSource } from '../ids.js'
import type { StorageBackend } from '../storage/backend.js'
import type { Clock } from '../time/clock.js'
import type { TypeRegistry } from '../types/type-registry.js'
import type { Logger } from './logger.js'
import { createToken } from './token.js'

/** What every app has. `storage`, `clock`, `ids` and `logger` can be replaced before the store is opened. */
export const tokens = {
  storage: createToken<StorageBackend>('@minions/core/storage'),
  types: createToken<TypeRegistry>('@minions/core/types'),
  events: createToken<TypedEmitter<MinionsEvents>>('@minions/core/events'),
  clock: createToken<Clock>('@minions/core/clock'),
  ids: createToken<IdSource>('@minions/core/ids'),
  logger: createToken<Logger>('@minions/core/logger'),
} as const
