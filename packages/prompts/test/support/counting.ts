import type { StorageBackend, StorageReader, StorageTransaction } from '@minions/core/storage'

const READS: readonly PropertyKey[] = ['get', 'query', 'count'] satisfies (keyof StorageReader)[]

/**
 * A backend that counts the queries it is asked, inside transactions too. Reads of types are left out: on a server they are read
 * again after anyone's commit, in whichever database.
 */
export function counting(storage: StorageBackend): { storage: StorageBackend; queries: () => number } {
  let queries = 0
  const counted = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (READS.includes(name) && args[0] !== 'types') queries += 1
          return Reflect.apply(value, target, name === 'transaction' ? [inside(args[0] as Work)] : args)
        }
      },
    })
  const inside = (work: Work) => (tx: StorageTransaction) => work(counted(tx))
  return { storage: counted(storage), queries: () => queries }
}

type Work = (tx: StorageTransaction) => Promise<unknown>
