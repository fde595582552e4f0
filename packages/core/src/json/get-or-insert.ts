import { guarded } from '../errors/guard.js'
import { MinionsError } from '../errors/minions-error.js'

interface MutableMap<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** The value of a key, which is created and kept if there is none. */
export function getOrInsert<Key, Value extends NonNullable<unknown>>(
  map: MutableMap<Key, Value>,
  key: Key,
  create: (key: Key) => NoInfer<Value>,
): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create(key)
  map.set(key, created)
  return created
}

/** The same for callers that may pass anything; inside, it is called too often. */
export const guardedGetOrInsert = guarded<typeof getOrInsert>('getOrInsert', checkedGetOrInsert, {
  callsBack: true,
  checksInside: false,
})

/** An error of the map or of `create` is the caller's own, so the arguments are checked first. */
function checkedGetOrInsert<Key, Value extends NonNullable<unknown>>(
  map: MutableMap<Key, Value>,
  key: Key,
  create: (key: Key) => NoInfer<Value>,
): Value {
  if (typeof map?.get === 'function' && typeof map.set === 'function' && typeof create === 'function') {
    return getOrInsert(map, key, create)
  }
  throw new MinionsError('VALIDATION_FAILED', 'getOrInsert takes a map, a key and a function that creates a value.')
}
