import type { MinionType } from '../../schemas/minion-type.js'
import type { Revised, StoreReader, StoreTransaction } from '../../storage/access.js'
import type { DataVersion } from '../../storage/backend.js'
import type { Store } from '../../storage/store.js'
import { freezeType } from '../../types/freeze-type.js'
import type { TypeRegistry } from '../../types/type-registry.js'
import { evolutionsCollection, typesCollection } from '../collections.js'
import { notFound } from '../errors.js'

/**
 * The types known to a client: a registry kept in sync with the store. Inside a transaction, a `fork` also knows the
 * types the transaction has written; the registry learns them when it commits.
 */
export class TypeState {
  readonly registry: TypeRegistry
  /** Types with a possibly running evolution; beginning or ending one here counts as a change. */
  readonly #evolving: Set<string>
  /** Shared with forks. */
  readonly #counter: { changes: number }
  readonly #revisions: Map<string, string>
  readonly #written: Map<string, MinionType> | undefined
  /** Types written by transactions that may not be committed; one rolled back costs an unnecessary read. */
  readonly #changing: Set<string>
  /** The version of the store at which each type was last compared with it. */
  readonly #checkedAt = new Map<string, DataVersion>()
  /** Another process may change types at any time. */
  readonly #shared: boolean

  constructor(registry: TypeRegistry, shared: boolean, parent?: TypeState) {
    this.registry = registry
    this.#shared = shared
    this.#revisions = parent ? parent.#revisions : new Map()
    this.#evolving = parent ? parent.#evolving : new Set()
    this.#counter = parent ? parent.#counter : { changes: 0 }
    this.#changing = parent ? parent.#changing : new Set()
    this.#written = parent ? new Map() : undefined
  }

  fork(): TypeState {
    return new TypeState(this.registry, this.#shared, this)
  }

  /** Number of changes to types, and of evolutions begun or ended, as far as known here. */
  get changes(): number {
    return this.#counter.changes
  }

  get isEvolving(): boolean {
    return this.#evolving.size > 0
  }

  begin(typeId: string): void {
    this.#counter.changes += 1
    this.#evolving.add(typeId)
  }

  end(typeId: string): void {
    this.#counter.changes += 1
    this.#evolving.delete(typeId)
  }

  /** True if a transaction has to check the store for a running evolution of a type. */
  mayEvolve(typeId: string): boolean {
    return this.#shared || this.#evolving.has(typeId) || this.#changing.has(typeId)
  }

  /**
   * True if minions of these types, read since `changes` had this value, are in the current shape of their types.
   * `version` is that of the data when they were read, or a later one. Queries a shared store, and learns what it did
   * not know.
   */
  areCurrent(
    store: Store,
    typeIds: readonly string[],
    changes: number,
    version: DataVersion | undefined = this.#shared ? store.backend.dataVersion?.() : undefined,
  ): boolean | Promise<boolean> {
    const areKnown = () => this.changes === changes && !typeIds.some((id) => this.#evolving.has(id))
    if (!this.#shared) return areKnown()
    const unchecked = typeIds.filter((id) => version === undefined || this.#checkedAt.get(id) !== version)
    if (unchecked.length === 0) return areKnown()
    return this.#check(store, unchecked).then(() => {
      if (version !== undefined) for (const id of unchecked) this.#checkedAt.set(id, version)
      return areKnown()
    })
  }

  /** True if `areCurrent` would be for this type, without a read; false also if that is not known. */
  isKnownCurrent(typeId: string, changes: number, version: DataVersion | undefined): boolean {
    if (this.changes !== changes || this.#evolving.has(typeId)) return false
    return !this.#shared || (version !== undefined && this.#checkedAt.get(typeId) === version)
  }

  async forgetEnded(store: Store, typeIds: readonly string[]): Promise<void> {
    const expected = typeIds.filter((id) => this.#evolving.has(id))
    if (expected.length === 0) return
    const { changes } = this
    const found = await store.getMany(evolutionsCollection, expected)
    // A concurrent change may have started another one.
    if (this.changes !== changes) return
    for (const [index, id] of expected.entries()) if (!found[index]) this.end(id)
  }

  find(idOrSlug: string): MinionType | undefined {
    return this.#findWritten(idOrSlug) ?? this.registry.getById(idOrSlug) ?? this.registry.getBySlug(idOrSlug)
  }

  list(): MinionType[] {
    const known = this.registry.list().map((type) => this.#written?.get(type.id) ?? type)
    const added = [...(this.#written?.values() ?? [])].filter((type) => !this.registry.has(type.id))
    return [...known, ...added]
  }

  /** True for a type that no other process can have changed, so the store need not be read. */
  settled(idOrSlug: string): MinionType | undefined {
    const known = this.find(idOrSlug)
    if (!known || this.#written?.has(known.id)) return known
    return this.#shared || this.#changing.has(known.id) ? undefined : known
  }

  /** The stored revision of a type as far as known here; null for a type known only in code. */
  revisionOf({ id }: MinionType): string | null {
    return this.#revisions.get(id) ?? null
  }

  /** A type as the store has it now. Throws `NOT_FOUND`. */
  async current(reader: StoreReader, idOrSlug: string): Promise<MinionType> {
    const settled = this.settled(idOrSlug)
    if (settled) return settled
    const known = this.find(idOrSlug)
    const revision = known && this.#revisions.get(known.id)
    const stored = known ? await reader.getRevised(typesCollection, known.id) : await findStored(reader, idOrSlug)
    const learned = stored && (await this.#catchUp(reader, stored, revision))
    if (learned) return learned
    // Read again, because the registry may have learned a new schema while the store was answering.
    const current = this.find(idOrSlug)
    if (!current) throw notFound('type', idOrSlug)
    return current
  }

  async refresh(reader: StoreReader): Promise<void> {
    if (!this.#shared) return
    for await (const stored of reader.iterate(typesCollection)) {
      await this.#catchUp(reader, stored, this.#revisions.get(stored.record.id))
    }
  }

  learn({ record, revision }: Revised<MinionType>): MinionType {
    this.#counter.changes += 1
    this.#revisions.set(record.id, revision)
    if (this.registry.has(record.id)) return this.registry.replace(record)
    return this.registry.register(record, { slugless: this.registry.getBySlug(record.slug) !== undefined })
  }

  /** Records a type that a transaction wrote: for this transaction now, for all others once it commits. */
  stage(tx: StoreTransaction, type: MinionType, revision: string, takesSlugOf?: string): MinionType {
    const frozen = freezeType(type)
    this.#written?.set(frozen.id, frozen)
    this.#changing.add(frozen.id)
    tx.afterCommit(() => {
      this.#changing.delete(frozen.id)
      if (takesSlugOf !== undefined && !this.registry.has(frozen.id)) this.registry.register(frozen, { takesSlugOf })
      this.learn({ record: frozen, revision })
    })
    return frozen
  }

  async #check(store: Store, typeIds: readonly string[]): Promise<void> {
    const known = typeIds.map((id) => this.#revisions.get(id))
    for (const [index, stored] of (await store.getMany(typesCollection, typeIds)).entries()) {
      if (stored) await this.#catchUp(store, stored, known[index])
    }
  }

  /** Learns a type that was read when `known` was its revision here, unless it was learned in the meantime. */
  async #catchUp(
    reader: StoreReader,
    stored: Revised<MinionType>,
    known: string | undefined,
  ): Promise<MinionType | undefined> {
    const { id } = stored.record
    if (stored.revision === known) return undefined
    if (await reader.get(evolutionsCollection, id)) this.begin(id)
    return this.#revisions.get(id) === known ? this.learn(stored) : undefined
  }

  #findWritten(idOrSlug: string): MinionType | undefined {
    if (!this.#written) return undefined
    return this.#written.get(idOrSlug) ?? [...this.#written.values()].find((type) => type.slug === idOrSlug)
  }
}

async function findStored(reader: StoreReader, idOrSlug: string): Promise<Revised<MinionType> | undefined> {
  const { items } = await reader.findRevised(typesCollection, {
    where: { or: [{ id: idOrSlug }, { slug: idOrSlug }] },
    limit: 1,
  })
  return items[0]
}
