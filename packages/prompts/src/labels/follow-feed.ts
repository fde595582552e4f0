import { systemTimers } from '@minions/core/coordination'
import type { Logger } from '@minions/core/plugin'
import { minionsCollection, type StorageBackend, type Store, type StoreAccess } from '@minions/core/storage'
import {
  promptLabelsCollection,
  promptNamesCollection,
  promptPartsCollection,
  promptVersionsCollection,
} from '../lookup/collections.js'
import type { Dependency, Freshness, LabelCache } from './label-cache.js'

/** Delay in milliseconds before the feed is followed again after it broke off. */
const RETRY_MS = 1000

const FOLLOWED = [
  minionsCollection,
  promptLabelsCollection,
  promptNamesCollection,
  promptPartsCollection,
  promptVersionsCollection,
]

type Feed = Pick<Store, 'changePages' | 'listChanges'>

/**
 * Chooses how a cache learns of changes made by other processes; those of this one are reported anyway. A store that
 * others cannot write to needs nothing more; a shared one is followed by its change feed; without a feed, nothing is
 * trusted.
 */
export function freshnessOf(store: StoreAccess, { capabilities }: StorageBackend, log: Logger) {
  return (cache: LabelCache): Freshness => {
    if (!capabilities.shared) return { isFresh: () => true, stop: () => undefined }
    if (capabilities.changes && hasFeed(store)) return new FeedFollower(store, cache, log)
    return { isFresh: () => false, stop: () => undefined }
  }
}

/** The client of a transaction has a store without a feed. */
function hasFeed(store: object): store is Feed {
  return 'changePages' in store && 'listChanges' in store
}

/** Follows the change feed from first use, and reports changes to a cache. */
class FeedFollower implements Freshness {
  readonly #feed: Feed
  readonly #cache: LabelCache
  readonly #log: Logger
  readonly #stop = new AbortController()
  #state: boolean | Promise<boolean> | undefined

  constructor(feed: Feed, cache: LabelCache, log: Logger) {
    this.#feed = feed
    this.#cache = cache
    this.#log = log
  }

  isFresh(): boolean | Promise<boolean> {
    this.#state ??= this.#begin()
    return this.#state
  }

  stop(): void {
    this.#stop.abort()
    this.#state = false
    this.#cache.clear()
  }

  async #begin(): Promise<boolean> {
    try {
      const { cursor } = await this.#feed.listChanges({ since: 'now', collections: FOLLOWED, limit: 1 })
      this.#cache.clear()
      if (!this.#stop.signal.aborted) void this.#follow(cursor)
      this.#state = !this.#stop.signal.aborted
    } catch (error) {
      this.#brokenOff(error)
    }
    return this.#state === true
  }

  async #follow(since: string): Promise<void> {
    try {
      const pages = this.#feed.changePages({ since, collections: FOLLOWED, signal: this.#stop.signal })
      for await (const { items } of pages) this.#cache.forget(items.flatMap(dependenciesIn))
      this.#state = false
    } catch (error) {
      this.#brokenOff(error)
    }
  }

  /** Until the feed can be followed again, nothing is trusted. */
  #brokenOff(error: unknown): void {
    this.#state = false
    this.#cache.clear()
    if (this.#stop.signal.aborted) return
    this.#log.warn('The change feed was interrupted; labels are read from the store until it can be followed again.', {
      error,
    })
    const allowRetry = () => {
      this.#state = this.#stop.signal.aborted ? false : undefined
    }
    systemTimers.set(RETRY_MS, allowRetry, { background: true })
  }
}

/** The cache keys affected by a change to a record. */
function dependenciesIn({ collection, key }: { collection: string; key: unknown }): Dependency[] {
  const [first] = Array.isArray(key) ? key : [key]
  switch (collection) {
    case promptNamesCollection.name:
      return [`name ${first}`]
    case promptLabelsCollection.name:
    case promptPartsCollection.name:
      return [`prompt ${first}`]
    default:
      return [`minion ${first}`, `prompt ${first}`]
  }
}
