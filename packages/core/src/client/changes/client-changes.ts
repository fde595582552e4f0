import { coreError } from '../../errors/codes.js'
import { nearestName } from '../../errors/nearest-name.js'
import { quote } from '../../errors/quote.js'
import { takeList, takeOptions } from '../../errors/take.js'
import type { Minion } from '../../schemas/minion.js'
import { EachItem } from '../../storage/changes/steps.js'
import type { ChangesQuery, FollowOptions, StoreChange, StoreChangePage } from '../../storage/changes/store-change.js'
import type { Collection } from '../../storage/collection.js'
import type { Store } from '../../storage/store.js'
import type { TypeName } from '../../types/type-map.js'
import { minionsCollection, relationsCollection, typesCollection } from '../collections.js'
import { takeType } from '../door.js'
import { readCurrent } from '../evolution/evolving.js'
import type { Session } from '../session.js'

/** A committed change of a record; for minions, with what is known about the minion. */
export interface ClientChange extends StoreChange {
  /** For a minion: the id of its type, even after it was removed permanently. */
  readonly type?: string
  /** The minion as it is now, which may be newer than the change; absent when it no longer exists. */
  readonly minion?: Minion
  /** The author of the change, if the minion records it and has not changed since. */
  readonly by?: string
}

/** Consecutive changes, oldest first. Its cursor advances past changes that the query does not select. */
export interface ClientChangePage extends StoreChangePage {
  readonly items: readonly ClientChange[]
}

/** Selects changes of a client. */
export interface ClientChangesQuery extends Pick<ChangesQuery, 'since'> {
  /** Minions of these types only: slugs, ids or types. Writes to minions that no longer exist are omitted. */
  readonly types?: readonly TypeName[] | undefined
  /** Minions with these ids only. */
  readonly ids?: readonly string[] | undefined
  /** Names of collections, including those of plugins, or `all`. Default: minions, relations and types. */
  readonly collections?: readonly (string | Collection)[] | 'all' | undefined
}

export interface ClientChangePageQuery extends ClientChangesQuery {
  /** Maximum number of changes to examine, up to 1,000. Default: 100. */
  readonly limit?: number | undefined
}

export interface ClientFollowOptions extends ClientChangesQuery, Pick<FollowOptions, 'signal'> {}

type Wants = (change: ClientChange) => boolean

const OWN = [minionsCollection, relationsCollection, typesCollection] as const

export class ClientFeed {
  readonly #session: Session
  readonly #store: Store
  /** Details found for a change, shared by all followers of the feed. */
  readonly #known = new WeakMap<StoreChange, ClientChange>()

  constructor(session: Session, store: Store) {
    this.#session = session
    this.#store = store
  }

  changes(options: ClientFollowOptions | undefined): AsyncIterableIterator<ClientChange, undefined> {
    return new EachItem(this.pages(options))
  }

  pages(options: ClientFollowOptions | undefined): AsyncIterableIterator<ClientChangePage, undefined> {
    const { signal, ...query } = takeOptions('The options of changes', options)
    const { since, collections, filter } = this.#take(query)
    let wants: Promise<Wants | undefined> | undefined
    return this.#store.changePages({ since, collections, signal }, async (page) => {
      wants ??= filter()
      return this.#told(page, await wants)
    })
  }

  async list(given: ClientChangePageQuery | undefined): Promise<ClientChangePage> {
    const { limit, ...query } = takeOptions('A query for changes', given)
    const { since, collections, filter } = this.#take(query)
    const wants = await filter()
    return this.#told(await this.#store.listChanges({ since, collections, limit }), wants)
  }

  #take({ since, types, ids, collections }: ClientChangesQuery) {
    const typeNames = types && takeList('The types', types).map(takeType)
    const wantedIds = ids && new Set(takeList('The ids', ids))
    const ofMinions = typeNames !== undefined || wantedIds !== undefined
    const asked = collections === 'all' ? undefined : (collections ?? OWN)
    const filter = async (): Promise<Wants | undefined> => {
      await this.#checkNames(asked)
      const typeIds = typeNames && (await this.#typeIds(typeNames))
      if (!ofMinions) return undefined
      return ({ type, key }) => {
        if (wantedIds && !wantedIds.has(key as string)) return false
        return typeIds === undefined || (type !== undefined && typeIds.has(type))
      }
    }
    return { since, collections: ofMinions ? [minionsCollection] : asked, filter }
  }

  /** A misspelt name would silently never match. */
  async #checkNames(collections: readonly (string | Collection)[] | undefined): Promise<void> {
    const names = collections?.filter((collection) => typeof collection === 'string') ?? []
    if (names.length === 0) return
    const known = (await this.#store.catalogue()).map(({ name }) => name)
    const unknown = names.find((name) => !known.includes(name))
    if (unknown === undefined) return
    const nearest = nearestName(unknown, known)
    throw coreError(
      'NOT_FOUND',
      `The store has no collection ${quote(unknown)}; ${nearest === undefined ? `it has ${known.join(', ')}.` : `did you mean "${nearest}"?`}`,
      { details: { collection: unknown, ...(nearest !== undefined && { nearest }) } },
    )
  }

  async #typeIds(names: readonly string[]): Promise<ReadonlySet<string>> {
    const types = await Promise.all(names.map((name) => this.#session.types.current(this.#store, name)))
    return new Set(types.map(({ id }) => id))
  }

  async #told({ items, cursor, more }: StoreChangePage, wants: Wants | undefined): Promise<ClientChangePage> {
    await this.#readDetails(items)
    const known = items.map((item) => this.#known.get(item) ?? item)
    return { items: wants ? known.filter(wants) : known, cursor, more }
  }

  /** Reads the minions of changes whose details are not known yet. */
  async #readDetails(changes: readonly StoreChange[]): Promise<void> {
    const unknown = changes.filter((change) => change.collection === minionsCollection.name && !this.#known.has(change))
    const written = unknown.filter(({ kind }) => kind === 'put')
    const minions = await this.#minions([...new Set(written.map(({ key }) => key as string))])
    for (const change of unknown) {
      const found = change.kind === 'put' ? minions.get(change.key as string) : undefined
      const type = found?.minion.minionTypeId ?? change.columns?.minionTypeId
      const by = found?.revision === change.revision ? authorOf(found.minion) : undefined
      this.#known.set(change, {
        ...change,
        ...(typeof type === 'string' && { type }),
        ...(found && { minion: found.minion }),
        ...(by !== undefined && { by }),
      })
    }
  }

  async #minions(ids: readonly string[]): Promise<Map<string, { minion: Minion; revision: string }>> {
    if (ids.length === 0) return new Map()
    const { items, revisions } = await readCurrent(this.#session, async (reader) => {
      const found = (await reader.getMany(minionsCollection, ids)).filter((revised) => revised !== undefined)
      return { items: found.map(({ record }) => record), revisions: found.map(({ revision }) => revision) }
    })
    return new Map(items.map((minion, index) => [minion.id, { minion, revision: revisions[index] as string }]))
  }
}

/** The author a minion records for its last change. */
function authorOf({ createdAt, updatedAt, deletedAt, ...minion }: Minion): string | undefined {
  if (typeof deletedAt === 'string' && deletedAt === updatedAt) return minion.deletedBy ?? undefined
  return minion.updatedBy ?? (createdAt === updatedAt ? minion.createdBy : undefined)
}
