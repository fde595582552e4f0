import type { MinionType } from '../schemas/minion-type.js'
import type { Revised, StoreReader, StoreTransaction } from '../storage/access.js'
import { freezeType } from '../types/freeze-type.js'
import type { TypeRegistry } from '../types/type-registry.js'
import { evolutionsCollection, typesCollection } from './collections.js'
import { notFound } from './errors.js'

/**
 * The types as a client knows them: a registry kept in step with the store. Inside a transaction a `fork` also knows the
 * types that the transaction has written, which the registry learns when it commits.
 */
export class TypeState {
  readonly registry: TypeRegistry
  /** Types that an evolution may be under way for. */
  readonly evolving: Set<string>
  /** Revisions of the types that are stored. */
  readonly #revisions: Map<string, string>
  readonly #written: Map<string, MinionType> | undefined
  /**
   * Types written by transactions that have not told of their commit: the store may know more than the registry. One that
   * was rolled back stays among them, and the store is then asked although it need not be.
   */
  readonly #changing: Set<string>
  /** Another process may change types at any time. */
  readonly #shared: boolean

  constructor(registry: TypeRegistry, shared: boolean, parent?: TypeState) {
    this.registry = registry
    this.#shared = shared
    this.#revisions = parent ? parent.#revisions : new Map()
    this.evolving = parent ? parent.evolving : new Set()
    this.#changing = parent ? parent.#changing : new Set()
    this.#written = parent ? new Map() : undefined
  }

  /** The same state for use inside a transaction. */
  fork(): TypeState {
    return new TypeState(this.registry, this.#shared, this)
  }

  /** A type by id or slug, as far as it is known here. */
  find(idOrSlug: string): MinionType | undefined {
    return this.#findWritten(idOrSlug) ?? this.registry.getById(idOrSlug) ?? this.registry.getBySlug(idOrSlug)
  }

  list(): MinionType[] {
    const known = this.registry.list().map((type) => this.#written?.get(type.id) ?? type)
    const added = [...(this.#written?.values() ?? [])].filter((type) => !this.registry.has(type.id))
    return [...known, ...added]
  }

  /** A type that nobody else can have changed, so that the store need not be asked. */
  settled(type: string | MinionType): MinionType | undefined {
    const known = this.find(typeof type === 'string' ? type : type?.id)
    if (!known || this.#written?.has(known.id)) return known
    return this.#shared || this.#changing.has(known.id) ? undefined : known
  }

  /** A type as the store has it now, whoever changed it. Throws `NOT_FOUND`. */
  async current(reader: StoreReader, type: string | MinionType): Promise<MinionType> {
    const settled = this.settled(type)
    if (settled) return settled
    const reference = typeof type === 'string' ? type : type?.id
    const known = this.find(reference)
    const stored = known ? await reader.getRevised(typesCollection, known.id) : await findStored(reader, reference)
    if (stored && this.#revisions.get(stored.record.id) !== stored.revision) {
      if (await reader.get(evolutionsCollection, stored.record.id)) this.evolving.add(stored.record.id)
      return this.learn(stored)
    }
    // Asked again, because the registry may have learned of another schema while the store was answering.
    const current = this.find(reference)
    if (!current) throw notFound('type', reference)
    return current
  }

  /** Takes over a type from the store. */
  learn({ record, revision }: Revised<MinionType>): MinionType {
    this.#revisions.set(record.id, revision)
    if (this.registry.has(record.id)) return this.registry.replace(record)
    return this.registry.register(record, { slugless: this.registry.getBySlug(record.slug) !== undefined })
  }

  /** Notes a type that a transaction wrote, for this transaction now and for everybody once it commits. */
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
