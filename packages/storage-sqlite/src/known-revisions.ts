import { getOrInsert } from '@minions/core/json'
/** Revisions of records found by checks, as long as nothing can have changed them; null for an absent record. */
export class KnownRevisions {
  readonly #collections = new Map<string, Map<string, string | null>>()

  has(collection: string, key: string, revision: string | null): boolean {
    return this.#collections.get(collection)?.get(key) === revision
  }

  note(collection: string, key: string, revision: string | null): void {
    const known = getOrInsert(this.#collections, collection, () => new Map())
    known.set(key, revision)
  }

  /** Invalidates after a write to the collection. */
  forget(collection: string): void {
    this.#collections.delete(collection)
  }

  clear(): void {
    this.#collections.clear()
  }
}
