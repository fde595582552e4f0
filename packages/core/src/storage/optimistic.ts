import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'

/** Maximum number of attempts, unless another is given: writers that collide more often are not making progress. */
const MOST_ATTEMPTS = 10

/** Marks a write whose conflict is a reason to try again. */
export type RetriedWrite = <T>(writing: Promise<T>) => Promise<T>

/**
 * Repeats work that reads records and writes them on condition, as long as another writer is first. Only a conflict of
 * what is passed through `write` is retried: `(write) => write(store.put(…))`. `attempt` counts from 1.
 */
export const retryConflicts = guarded('retryConflicts', retryConflictsUnchecked, { callsBack: true })

async function retryConflictsUnchecked<T>(
  work: (write: RetriedWrite, attempt: number) => Promise<T>,
  most = MOST_ATTEMPTS,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let conflict: unknown
    const write: RetriedWrite = (writing) =>
      writing.catch((error: unknown) => {
        if (coreError.is(error, 'CONFLICT')) conflict = error
        throw error
      })
    try {
      return await work(write, attempt)
    } catch (error) {
      if (conflict === undefined || error !== conflict || !(attempt < most)) throw error
    }
  }
}

/** Resolves as a write on condition does, or to undefined if another writer was first. */
export const unlessConflict = guarded('unlessConflict', unlessConflictUnchecked, { callsBack: 'hooks' })

async function unlessConflictUnchecked<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if (coreError.is(error, 'CONFLICT')) return undefined
    throw error
  }
}
