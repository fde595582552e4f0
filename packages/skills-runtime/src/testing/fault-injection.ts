import { MinionsError } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'

/** The fate of a transaction. */
export type Fault =
  /** It does not happen at all. */
  | 'before'
  /** It is committed, but the caller gets an error. */
  | 'after'
  | undefined

/** A store that can be told to fail. */
export interface FaultyStore extends StoreAccess {
  /** Decides about each transaction, given its number from 1. */
  inject(decide: ((transaction: number) => Fault) | undefined): void
  /** Number of transactions since the last `inject`. */
  readonly transactions: number
}

/** Wraps a store so that its transactions can be made to fail with `STORAGE_UNAVAILABLE`, before or after they commit. */
export const injectFaults = guarded('injectFaults', (store: StoreAccess): FaultyStore => {
  let decide: ((transaction: number) => Fault) | undefined
  let count = 0
  const faulty = async <T>(work: () => Promise<T>): Promise<T> => {
    const fault = decide?.(++count)
    if (fault === 'before') throw unavailable(count, 'was not made')
    const result = await work()
    if (fault === 'after') throw unavailable(count, 'was made, but its answer was lost')
    return result
  }
  const writes = ['put', 'putMany', 'delete', 'deleteMany', 'write', 'claim', 'transaction'] as const
  return new Proxy(store, {
    get(target, property) {
      if (property === 'inject') {
        return (next: typeof decide) => {
          decide = next
          count = 0
        }
      }
      if (property === 'transactions') return count
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      const call = (...args: unknown[]) => Reflect.apply(value, target, args)
      if (!(writes as readonly unknown[]).includes(property)) return call
      return (...args: unknown[]) => faulty(() => call(...args) as Promise<unknown>)
    },
  }) as FaultyStore
})

function unavailable(transaction: number, what: string): MinionsError {
  return new MinionsError('STORAGE_UNAVAILABLE', `An injected fault: transaction ${transaction} ${what}.`)
}
