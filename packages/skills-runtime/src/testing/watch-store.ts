import { guarded, requireFunction } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'

let calls = 0

export function storeCalls(): number {
  return calls
}

/**
 * Wraps a store on files or a database, whose answers take real time, so that virtual time does not pass while one of
 * its calls is open.
 */
export const watchStore = guarded('watchStore', <S extends StoreAccess>(store: S): S => {
  requireFunction('watchStore', store.transaction)
  return new Proxy(store, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const returned: unknown = Reflect.apply(value, target, args)
        if (!(returned instanceof Promise)) return returned
        calls++
        return returned.finally(() => {
          calls--
        })
      }
    },
  })
})
