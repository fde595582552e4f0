import { coreError } from '../errors/codes.js'
import { guardMethods } from '../errors/guard.js'
import { takeOptions } from '../errors/take.js'
import type { CreateMinionInput, UpdateMinionInput } from '../lifecycle/input.js'
import type { Minion } from '../schemas/minion.js'
import type { MinionType } from '../schemas/minion-type.js'
import type { CreateRelationInput, Relation, RelationType } from '../schemas/relation.js'
import type { StoreAccess, StoreTransaction } from '../storage/access.js'
import type { StorageProblem } from '../storage/backend.js'
import type { Collection } from '../storage/collection.js'
import { isStore } from '../storage/is-store.js'
import type { CollectionQuery, Page } from '../storage/query.js'
import type { Store } from '../storage/store.js'
import { UNGUARDED, type VersionedPage } from '../storage/unguarded.js'
import type { MinionOf } from '../types/fields-of.js'
import type { KnownSlug, TypeName, TypeNamed } from '../types/type-map.js'
import type { TypeRegistry } from '../types/type-registry.js'
import { type ExportOptions, exportBundle } from './bundles/export.js'
import { importRecords } from './bundles/import-records.js'
import type { ImportedRecords } from './changes/change.js'
import type { minionsCollection } from './collections.js'
import { type OperationName, takeArguments } from './door.js'
import { readCurrent } from './evolution/evolving.js'
import { type Middleware, runThrough } from './middleware.js'
import { minionsNamed } from './objects/minion-names.js'
import { type MinionQuery, toCollectionQuery } from './objects/minion-query.js'
import { createMinions, createOne, isOfType, markOne, type UpdateOptions, updateOne } from './objects/objects.js'
import { getMinion, getMinionNow, getRecord, type MinionRecord, type MinionText } from './objects/read-minion.js'
import { hardDeleteOne, link, type RelationsOptions, relationsOf, unlink } from './relations/links.js'
import { pageOfRelations, type RelationQuery } from './relations/relation-query.js'
import { inOrder, pathBetween, reachable, type TraversalOptions } from './relations/traversal.js'
import type { By, Session } from './session.js'
import { TypesApi } from './types/types-api.js'

/** State shared by all clients of one store, including those of its transactions. */
export interface Shared {
  readonly store: Store
  /** Everything declared when the client was opened. */
  readonly collections: readonly Collection[]
  readonly middleware: readonly Middleware[]
  readonly problems: readonly StorageProblem[]
  /** See `MinionsOptions`. */
  readonly extendTransaction: ((client: MinionsAccess, tx: StoreTransaction) => () => void) | undefined
}

let readNow: (client: MinionsAccess, id: string) => MinionText | null | undefined

/** What `getRecord` would find, at once: null if there is none, undefined if it has to be waited for. */
export function getRecordNow(client: MinionsAccess, id: string): MinionText | null | undefined {
  return readNow(client, id)
}

/**
 * The part of the client that also works inside a transaction: minions, relations and types. Every write operation is
 * atomic. `Extra` are the types known to the compiler besides the built-in ones, by slug.
 */
export class MinionsAccess<Extra = unknown> {
  readonly types: TypesApi
  readonly #session: Session
  readonly #shared: Shared

  constructor(session: Session, shared: Shared) {
    this.#session = session
    this.#shared = shared
    this.types = new TypesApi(session)
  }

  static {
    readNow = (client, id) =>
      #shared in client && client.#shared.middleware.length === 0 ? getMinionNow(client.#session, id) : undefined
  }

  /** The store behind the client, for collections that plugins declare; inside a transaction, that transaction. */
  get storage(): StoreAccess {
    return this.#session.store
  }

  /** The registry of types, kept in step with the store. */
  get registry(): TypeRegistry {
    return this.#session.types.registry
  }

  /** Creates a minion. Throws `NOT_FOUND` for an unknown type and `VALIDATION_FAILED` with all errors. */
  create<T extends MinionType>(type: T, input: CreateMinionInput<NoInfer<T>>, options?: By): Promise<MinionOf<T>>
  create<const Slug extends string>(
    type: Slug | KnownSlug<Extra>,
    input: CreateMinionInput<TypeNamed<Extra, NoInfer<Slug>>>,
    options?: By,
  ): Promise<MinionOf<TypeNamed<Extra, Slug>>>
  create(type: TypeName, input: CreateMinionInput, options?: By): Promise<Minion> {
    return this.#run('create', [type, input, options], (t, i, o) => createOne(this.#session, t as string, i, o ?? {}))
  }

  /** Creates many minions of one type, all or none, and resolves to them in order. */
  createMany<T extends MinionType>(
    type: T,
    inputs: readonly CreateMinionInput<NoInfer<T>>[],
    options?: By,
  ): Promise<MinionOf<T>[]>
  createMany<const Slug extends string>(
    type: Slug | KnownSlug<Extra>,
    inputs: readonly CreateMinionInput<TypeNamed<Extra, NoInfer<Slug>>>[],
    options?: By,
  ): Promise<MinionOf<TypeNamed<Extra, Slug>>[]>
  createMany(type: TypeName, inputs: readonly CreateMinionInput[], options: By = {}): Promise<Minion[]> {
    return this.#run('createMany', [type, inputs, options], (t, i, o) =>
      createMinions(this.#session, t as string, i, o),
    )
  }

  /** A minion by id, deleted or not; `undefined` when there is none, or when it is not of the given type. */
  get(id: string): Promise<Minion | undefined>
  get<const Name extends TypeName>(
    type: Name | KnownSlug<Extra>,
    id: string,
  ): Promise<MinionOf<TypeNamed<Extra, Name>> | undefined>
  get(...args: readonly [id: string] | readonly [type: TypeName, id: string]): Promise<Minion | undefined> {
    return args.length === 1 ? this.#get(args[0]) : this.#getOfType(...args)
  }

  /** A minion with its revision. */
  getRecord(id: string): Promise<MinionRecord | undefined> {
    return this.#run('getRecord', [id], (i) => getRecord(this.#session, i))
  }

  /**
   * Applies a partial update. Throws `NOT_FOUND`, `DELETED`, `VALIDATION_FAILED`, or `CONFLICT` with `ifRevision`. With a
   * type, a minion of another type is `NOT_FOUND`.
   */
  update(id: string, patch: UpdateMinionInput, options?: UpdateOptions): Promise<Minion>
  update<const Name extends TypeName>(
    type: Name | KnownSlug<Extra>,
    id: string,
    patch: UpdateMinionInput<TypeNamed<Extra, NoInfer<Name>>>,
    options?: UpdateOptions,
  ): Promise<MinionOf<TypeNamed<Extra, Name>>>
  update(
    typeOrId: TypeName,
    idOrPatch: string | UpdateMinionInput,
    patchOrOptions?: UpdateMinionInput | UpdateOptions,
    typedOptions?: UpdateOptions,
  ): Promise<Minion> {
    const [id, patch, options] =
      typeof idOrPatch === 'string'
        ? [idOrPatch, patchOrOptions as UpdateMinionInput, { ...typedOptions, type: typeOrId }]
        : [typeOrId as string, idOrPatch, patchOrOptions as UpdateOptions | undefined]
    return this.#run('update', [id, patch, options], (i, p, o) => updateOne(this.#session, i, p, o ?? {}))
  }

  /** Marks a minion as deleted; its relations stay. */
  softDelete(id: string, options: By = {}): Promise<Minion> {
    return this.#run('softDelete', [id, options], (i, o) => markOne(this.#session, i, 'deleted', o))
  }

  /** Restores a deleted minion. */
  restore(id: string, options: By = {}): Promise<Minion> {
    return this.#run('restore', [id, options], (i, o) => markOne(this.#session, i, 'restored', o))
  }

  /** Removes a minion and all its relations permanently, and resolves to its last state. */
  hardDelete(id: string, options: By = {}): Promise<Minion> {
    return this.#run('hardDelete', [id, options], (i, o) => hardDeleteOne(this.#session, i, o))
  }

  /** A page of minions. */
  find<T extends MinionType>(query: MinionQuery<T>): Promise<Page<MinionOf<T>>>
  find<const Name extends TypeName = string>(
    query?: MinionQuery<Name, TypeNamed<Extra, Name>>,
  ): Promise<Page<MinionOf<TypeNamed<Extra, Name>>>>
  find(query: MinionQuery = {}): Promise<Page<Minion>> {
    return this.#run('find', [query], (q) => this.#page(q))
  }

  /** A page of minions whose text has, for every word given, a word starting with it, ignoring case and accents. */
  search<T extends MinionType>(text: string, query: MinionQuery<T>): Promise<Page<MinionOf<T>>>
  search<const Name extends TypeName = string>(
    text: string,
    query?: MinionQuery<Name, TypeNamed<Extra, Name>>,
  ): Promise<Page<MinionOf<TypeNamed<Extra, Name>>>>
  search(text: string, query: MinionQuery = {}): Promise<Page<Minion>> {
    return this.#run('search', [text, query], (t, q) => this.#page(q, t))
  }

  /** Counts the minions that `find` would return over all pages. */
  count<T extends MinionType>(query: MinionQuery<T>): Promise<number>
  count<const Name extends TypeName = string>(query?: MinionQuery<Name, TypeNamed<Extra, Name>>): Promise<number>
  count(query: MinionQuery = {}): Promise<number> {
    return this.#run('count', [query], (q) =>
      this.#query(q, (minions, { where }) => this.#session.store.count(minions, { ...(where && { where }) })),
    )
  }

  /** Links two minions. Throws `REFERENCE_VIOLATION` when one does not exist. */
  link(input: CreateRelationInput, options: By = {}): Promise<Relation> {
    return this.#run('link', [input, options], (i, o) => link(this.#session, i, o))
  }

  /** Removes a relation and resolves to its last state. */
  unlink(relationId: string, options: By = {}): Promise<Relation> {
    return this.#run('unlink', [relationId, options], (i, o) => unlink(this.#session, i, o))
  }

  /** The relations of a minion; those with a soft-deleted end only on request. */
  relations(id: string, options: RelationsOptions = {}): Promise<Relation[]> {
    return this.#run('relations', [id, options], (i, o) => relationsOf(this.#session, i, o))
  }

  /** A page of the relations of many minions; those with a soft-deleted end only on request. */
  findRelations(query: RelationQuery = {}): Promise<Page<Relation>> {
    return this.#run('findRelations', [query], (q) => pageOfRelations(this.#session, q))
  }

  /** The minions that this one is `parent_of`. */
  children(id: string, options: TraversalOptions = {}): Promise<Minion[]> {
    return this.#run('children', [id, options], (i, o) => reachable(this.#session, i, 'children', o, 1))
  }

  /** The minions that are `parent_of` this one. */
  parents(id: string, options: TraversalOptions = {}): Promise<Minion[]> {
    return this.#run('parents', [id, options], (i, o) => reachable(this.#session, i, 'parents', o, 1))
  }

  /** Children, their children, and so on, nearest first. */
  descendants(id: string, options: TraversalOptions = {}): Promise<Minion[]> {
    return this.#run('descendants', [id, options], (i, o) => reachable(this.#session, i, 'children', o))
  }

  /** Parents, their parents, and so on, nearest first. */
  ancestors(id: string, options: TraversalOptions = {}): Promise<Minion[]> {
    return this.#run('ancestors', [id, options], (i, o) => reachable(this.#session, i, 'parents', o))
  }

  /** Direct neighbours through relations of any type, in either direction. */
  network(id: string, options: TraversalOptions = {}): Promise<Minion[]> {
    return this.#run('network', [id, options], (i, o) => reachable(this.#session, i, 'network', o, 1))
  }

  /** A shortest chain of minions from one to another along relations of any type, both included; empty if none. */
  path(fromId: string, toId: string, options: TraversalOptions = {}): Promise<Minion[]> {
    return this.#run('path', [fromId, toId, options], (f, t, o) => pathBetween(this.#session, f, t, o))
  }

  /** The minions connected by relations of one type, each after its dependencies. Throws `CYCLE`. */
  topologicalOrder(type: RelationType, options: TraversalOptions = {}): Promise<Minion[]> {
    return this.#run('topologicalOrder', [type, options], (t, o) => inOrder(this.#session, t, o))
  }

  /**
   * Runs `work` with a client whose writes are committed together, or not at all if it throws; its error is rethrown.
   * Inside, use only that client and cause no other side effects: `work` may run more than once.
   */
  async transaction<T>(work: (tx: MinionsAccess<Extra>) => Promise<T>): Promise<T> {
    if (typeof work !== 'function') {
      throw coreError('VALIDATION_FAILED', 'The work of a transaction must be a function.')
    }
    return this.#session.store.transaction(async (tx) => {
      const session = { ...this.#session, store: tx, types: this.#session.types.fork() }
      const client = new MinionsAccess<Extra>(session, this.#shared)
      const end = this.#shared.extendTransaction?.(client, tx)
      try {
        return await work(client)
      } finally {
        end?.()
      }
    })
  }

  /**
   * Writes minions and relations as they are, with their ids and times, all or none; resolves to those that did not
   * already exist with identical content. Throws `CONFLICT` when one of the ids belongs to a different record. Notifies
   * plugins but not listeners.
   */
  importRecords(records: Partial<ImportedRecords>): Promise<ImportedRecords> {
    return importRecords(this.#session, takeOptions('The records of an import', records))
  }

  /**
   * Types, minions and relations, or with `all` everything in the store, as checksummed lines of JSON. For a consistent
   * snapshot during concurrent writes, export inside a transaction.
   */
  exportBundle(options: ExportOptions = {}): AsyncIterable<string> {
    const { store, collections } = this.#shared
    return exportBundle(this.#session, store, collections, takeOptions('The options of exportBundle', options))
  }

  /** Problems with damaged or contradictory data that was set aside. */
  async problems(): Promise<StorageProblem[]> {
    return [...this.#shared.problems, ...(await this.#shared.store.problems())]
  }

  #get(id: string): Promise<Minion | undefined> {
    return this.#run('get', [id], (i) => getMinion(this.#session, i))
  }

  async #getOfType(type: TypeName, id: string): Promise<Minion | undefined> {
    const minion = await this.#get(id)
    return type === undefined || (await isOfType(this.#session, this.#session.store, minion, type)) ? minion : undefined
  }

  async #page(query: MinionQuery, text?: string): Promise<Page<Minion>> {
    if (text !== undefined && typeof text !== 'string') {
      throw coreError('INVALID_QUERY', 'The text to search must be a string.')
    }
    const { items, nextCursor } = await this.#query(query, (minions, translated) => {
      const query = text === undefined ? translated : { ...translated, text }
      return readCurrent(this.#session, (reader): Promise<VersionedPage<Minion>> => {
        return isStore(reader) ? reader[UNGUARDED].find(minions, query) : reader.find(minions, query)
      })
    })
    return { items, nextCursor }
  }

  /** Translates a query for the store. A field not known here may have been added to the type by another process. */
  async #query<T>(
    query: MinionQuery,
    run: (minions: typeof minionsCollection, query: CollectionQuery) => Promise<T>,
  ): Promise<T> {
    const { types, store } = this.#session
    const { type } = query
    if (type === undefined) return run(minionsNamed(undefined), toCollectionQuery(query, undefined))
    const runFor = (one: MinionType) => run(minionsNamed(one), toCollectionQuery(query, one.id))
    const known = types.find(type as string) ?? (await types.current(store, type as string))
    try {
      return await runFor(known)
    } catch (error) {
      if (!coreError.is(error, 'INVALID_QUERY')) throw error
      const current = await types.current(store, known.id)
      if (current === known) throw error
      return runFor(current)
    }
  }

  /** Every operation goes through here, so that middleware sees it and may replace its arguments. */
  #run<Args extends readonly unknown[], T>(
    name: OperationName,
    args: readonly [...Args],
    run: (...args: Args) => Promise<T>,
  ): Promise<T> {
    const { middleware } = this.#shared
    const checked = (given: readonly unknown[]) => run(...(takeArguments(name, given) as Args))
    if (middleware.length > 0) return runThrough(middleware, { name, args }, checked)
    try {
      return checked(args)
    } catch (error) {
      return Promise.reject(error)
    }
  }
}

guardMethods(MinionsAccess, { callsBack: true })
