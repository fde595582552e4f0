import { coreError } from '../errors/codes.js'
import { guarded, guardMethods } from '../errors/guard.js'
import type { StorageBackend } from './backend.js'
import { memoryStorage } from './memory/memory-storage.js'

/** Makes a backend from a storage URL such as `sqlite:./minions.db`. Like every factory, it touches nothing yet. */
export type StorageFactory = (url: string) => StorageBackend | Promise<StorageBackend>

/** The kinds of storage URL that are known. Core knows `memory:`; others are registered by whoever has the backend. */
export class StorageSchemes {
  readonly #factories = new Map<string, StorageFactory>([['memory', () => memoryStorage()]])

  /** Adds a scheme, given without its colon. A scheme that is already there is refused. */
  register(scheme: string, factory: StorageFactory): void {
    if (!/^[a-z][a-z0-9+.-]*$/.test(scheme)) {
      throw coreError('VALIDATION_FAILED', `"${scheme}" is not a URL scheme; use lower-case letters and digits.`)
    }
    if (this.#factories.has(scheme)) {
      throw coreError('ALREADY_REGISTERED', `The storage scheme "${scheme}:" is already registered.`)
    }
    this.#factories.set(scheme, factory)
  }

  /** The known schemes, in alphabetical order. */
  list(): string[] {
    return [...this.#factories.keys()].sort()
  }

  /** Makes the backend that a URL names. Throws `UNKNOWN_SCHEME`, naming the known ones. */
  async resolve(url: string): Promise<StorageBackend> {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
    const factory = scheme === undefined ? undefined : this.#factories.get(scheme)
    if (!factory) {
      const known = this.list().map((name) => `${name}:`)
      const problem = scheme === undefined ? 'is not a storage URL' : `has the unknown scheme "${scheme}:"`
      throw coreError('UNKNOWN_SCHEME', `"${hidePassword(url)}" ${problem}; known are ${known.join(', ')}.`, {
        details: { scheme: scheme ?? null, known },
      })
    }
    return factory(url)
  }
}

guardMethods(StorageSchemes)

/** URLs end up in messages and logs; passwords must not. */
export const hidePassword = guarded('hidePassword', hidePasswordUnchecked)

function hidePasswordUnchecked(url: string): string {
  return url.replace(/(\/\/[^/?#:@]*):[^/?#]*@/, '$1:***@')
}
