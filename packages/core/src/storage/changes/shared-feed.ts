import { coreError } from '../../errors/codes.js'
import type { StorageBackend } from '../backend.js'
import { type Collection, collectionFromDeclaration } from '../collection.js'
import { type StoreChangePage, toStorePage } from './store-change.js'
import { ChangeWatchers } from './watchers.js'

/** Number of changes per read while a feed is followed. */
const PAGE_SIZE = 200
/** Number of pages cached for followers that are slightly behind. */
const MOST_PAGES = 16

/** A read in progress, and the number of commits known when it began. */
interface Reading {
  readonly commits: number
  readonly page: Promise<StoreChangePage>
}

/** The feed of a backend for any number of followers. What is between two positions never changes, so they share reads. */
export class SharedFeed {
  readonly #backend: StorageBackend
  readonly #collections: Map<string, Collection>
  readonly #pages = new Map<string, StoreChangePage>()
  readonly #reading = new Map<string, Reading>()
  readonly #watchers = new ChangeWatchers()
  #stop: (() => void) | undefined

  constructor(backend: StorageBackend, declared: readonly Collection[]) {
    this.#backend = backend
    this.#collections = new Map(declared.map((collection) => [collection.name, collection]))
  }

  /** The next page after a cursor, for some collections or all. */
  async read(since: string, collections: readonly string[] | undefined, limit = PAGE_SIZE): Promise<StoreChangePage> {
    const page = await this.#capable().changes({ since, collections, limit })
    if (page.changes.some(({ collection }) => !this.#collections.has(collection))) await this.#learn()
    return toStorePage(page, this.#collections)
  }

  /** The same for all collections, read once for all followers at the end of the feed. */
  async readShared(since: string): Promise<StoreChangePage> {
    const known = this.#pages.get(since)
    if (known) return known
    const reading = this.#reading.get(since)
    // A read that began before the last commit may not have seen it.
    if (reading?.commits === this.#watchers.commits) return reading.page
    const page = this.read(since, undefined)
    this.#reading.set(since, { commits: this.#watchers.commits, page })
    try {
      const read = await page
      if (read.items.length > 0) this.#keep(since, read)
      return read
    } finally {
      if (this.#reading.get(since)?.page === page) this.#reading.delete(since)
    }
  }

  watch(wake: () => void): () => void {
    const backend = this.#capable()
    const remove = this.#watchers.add(wake)
    this.#stop ??= backend.watchChanges(() => this.#watchers.wake())
    return () => {
      remove()
      if (!this.#watchers.isEmpty) return
      this.#stop?.()
      this.#stop = undefined
      this.#pages.clear()
    }
  }

  /** Collections not declared here are looked up in the catalogue. */
  async #learn(): Promise<void> {
    for (const declaration of await this.#backend.catalogue()) {
      if (!this.#collections.has(declaration.name)) {
        this.#collections.set(declaration.name, collectionFromDeclaration(declaration))
      }
    }
  }

  #keep(since: string, page: StoreChangePage): void {
    this.#pages.set(since, page)
    const [oldest] = this.#pages.keys()
    if (this.#pages.size > MOST_PAGES && oldest !== undefined) this.#pages.delete(oldest)
  }

  #capable(): CapableBackend {
    const backend = this.#backend
    if (backend.capabilities.changes && hasFeed(backend)) return backend
    throw coreError(
      'CAPABILITY_MISSING',
      `The ${backend.name} store has no change feed; use a backend with the capability \`changes\`, or query for records ` +
        'newer than the last ones read.',
      { details: { backend: backend.name, capability: 'changes' } },
    )
  }
}

type CapableBackend = StorageBackend & {
  readonly [Method in 'changes' | 'watchChanges']: NonNullable<StorageBackend[Method]>
}

function hasFeed(backend: StorageBackend): backend is CapableBackend {
  return typeof backend.changes === 'function' && typeof backend.watchChanges === 'function'
}
