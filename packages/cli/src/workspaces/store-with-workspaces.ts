import { compareCodePoints, jsonEqual } from '@minions/core/json'
import { memoryStorage } from '@minions/core/memory'
import {
  type Collection,
  type CollectionDeclaration,
  type QueryPlan,
  type Selection,
  type StorageBackend,
  type StorageProblem,
  type StorageTransaction,
  Store,
  type StoredRecord,
} from '@minions/core/storage'
import { type WorkspaceRecord, workspacesCollection } from '@minions/workspace'

const NAME = workspacesCollection.name

/**
 * A read-only store with additional workspaces besides its own. If both have an id with different content, the store's
 * own is used and `onConflict` is called.
 */
export class StoreWithWorkspaces implements StorageBackend {
  readonly name: string
  readonly capabilities
  readonly #main: StorageBackend
  readonly #side = memoryStorage()
  readonly #further: readonly WorkspaceRecord[]
  readonly #onConflict: (id: string) => void
  #isFilled = false

  constructor(main: StorageBackend, further: readonly WorkspaceRecord[], onConflict: (id: string) => void) {
    this.name = main.name
    // Its feed would not include the additional workspaces.
    this.capabilities = { ...main.capabilities, changes: false }
    this.#main = main
    this.#further = further
    this.#onConflict = onConflict
  }

  async open(collections: readonly Collection[]): Promise<void> {
    await this.#main.open(collections)
    if (this.#isFilled) return
    const side = await Store.open(this.#side, [workspacesCollection])
    const own = await this.#ownWorkspaces()
    for (const record of this.#further) {
      const existing = own.get(record.id)
      if (existing && !jsonEqual(existing, record)) this.#onConflict(record.id)
      if (!existing) own.set(record.id, record)
    }
    await side.putMany(workspacesCollection, [...own.values()])
    this.#isFilled = true
  }

  async close(): Promise<void> {
    await this.#side.close()
    await this.#main.close()
  }

  get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return this.#backendOf(collection).get(collection, keys)
  }

  query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    return this.#backendOf(collection).query(collection, plan)
  }

  count(collection: string, selection: Selection): Promise<number> {
    return this.#backendOf(collection).count(collection, selection)
  }

  transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    return this.#main.transaction(work)
  }

  async catalogue(): Promise<CollectionDeclaration[]> {
    const others = (await this.#main.catalogue()).filter(({ name }) => name !== NAME)
    return [...others, workspacesCollection.declaration].sort((a, b) => compareCodePoints(a.name, b.name))
  }

  async problems(): Promise<StorageProblem[]> {
    return (await this.#main.problems?.()) ?? []
  }

  #backendOf(collection: string): StorageBackend {
    return collection === NAME ? this.#side : this.#main
  }

  async #ownWorkspaces(): Promise<Map<string, WorkspaceRecord>> {
    const own = new Map<string, WorkspaceRecord>()
    if (!(await this.#main.catalogue()).some(({ name }) => name === NAME)) return own
    const main = await Store.open(this.#main, [])
    for await (const { record } of main.iterate(workspacesCollection)) own.set(record.id, record)
    return own
  }
}
