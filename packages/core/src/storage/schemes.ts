import { coreError } from '../errors/codes.js'
import { guardMethods } from '../errors/guard.js'
import { nearestName } from '../errors/nearest-name.js'
import type { StorageBackend } from './backend.js'
import { memoryStorage } from './memory/memory-storage.js'
import { hidePassword, parseStorageUrl } from './storage-url.js'

/** Creates a backend from a storage URL such as `sqlite:./minions.db`. Like every factory, it has no side effects. */
export type StorageFactory = (url: string) => StorageBackend | Promise<StorageBackend>

/** The known storage URL schemes. Core knows `memory:`; backends register the others. */
export class StorageSchemes {
  readonly #factories = new Map<string, StorageFactory>([['memory', () => memoryStorage()]])

  /** Adds a scheme, given without its colon. A registered scheme is refused. */
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

  /** Creates the backend for a URL. Throws `UNKNOWN_SCHEME`, listing the known ones. */
  async resolve(url: string): Promise<StorageBackend> {
    const scheme = parseStorageUrl(url)?.scheme
    const factory = scheme === undefined ? undefined : this.#factories.get(scheme)
    if (!factory) {
      const known = this.list().map((name) => `${name}:`)
      const problem = scheme === undefined ? 'is not a storage URL' : `has the unknown scheme "${scheme}:"`
      const nearest = scheme === undefined ? undefined : nearestName(`${scheme}:`, known)
      const guess = nearest === undefined ? '; known' : `; did you mean "${nearest}"? Known`
      throw coreError('UNKNOWN_SCHEME', `"${hidePassword(url)}" ${problem}${guess} are ${known.join(', ')}.`, {
        details: { scheme: scheme ?? null, known },
      })
    }
    return factory(url)
  }
}

guardMethods(StorageSchemes)
