import type { MinionsAccess } from '@minions/core'
import type { ClientChange } from '@minions/core/client'
import { getOrInsert } from '@minions/core/json'
import { type EventSource, type GuardedOperation, operationsOf } from '@minions/core/operations'
import { guarded, guardMethods } from '@minions/core/plugin'
import type { Key } from '@minions/core/storage'

/** The event of a change, and the data that decides who receives it. */
export interface ChangeEvent {
  /** Cursor after the change. Two readers may reach the same change with different cursors. */
  readonly cursor: string
  /** Identifies the change for all readers. */
  readonly identity: string
  readonly collection: string
  readonly key: Key
  /** Id of the type, for a minion. */
  readonly type?: string | undefined
  readonly tenant?: string | undefined
  readonly owner?: string | undefined
  readonly mission?: string | undefined
  readonly topic?: string | undefined
  /** The event as it is sent; the same bytes for all. */
  readonly bytes: Uint8Array
}

/** A collection whose changes callers may receive, with the required permission. */
export interface Source extends Omit<EventSource, 'collection' | 'operation'> {
  readonly collection?: EventSource['collection']
  readonly guard: GuardedOperation
}

/** Properties of a record that listeners can filter by. */
type Facts = Pick<ChangeEvent, 'tenant' | 'owner' | 'mission' | 'topic'>

const FACTS = ['tenant', 'owner', 'mission', 'topic'] as const

/** Collections of the client, with the operations that read them. */
const OWN = { minions: 'objects.get', relations: 'relations.find', types: 'types.get' } as const

const encoder = new TextEncoder()

/** Turns changes into events: reads what the feed does not contain, once for all listeners. */
export class ChangeEvents {
  readonly sources: ReadonlyMap<string, Source>
  readonly #app: MinionsAccess

  constructor(app: MinionsAccess, eventSources: readonly EventSource[]) {
    this.#app = app
    this.sources = sourcesOf(app, eventSources)
  }

  /** The events of changes of collections that can be listened to, in their order. */
  async of(changes: readonly ClientChange[]): Promise<ChangeEvent[]> {
    const told = changes.filter(({ collection }) => this.sources.has(collection))
    const facts = await this.#factsOf(told)
    return told.map((change) => this.#eventOf(change, facts.get(change) ?? {}))
  }

  /** Records are read by collection. A record that no longer exists is skipped; the change that removed it follows. */
  async #factsOf(changes: readonly ClientChange[]): Promise<Map<ClientChange, Facts>> {
    const facts = new Map<ClientChange, Facts>()
    const unread = new Map<Source, ClientChange[]>()
    for (const change of changes) {
      const source = this.sources.get(change.collection)
      if (!source?.collection || FACTS.every((fact) => source[fact] === undefined)) continue
      if (change.kind === 'delete') facts.set(change, pick(source, change.columns ?? {}))
      else getOrInsert(unread, source, () => []).push(change)
    }
    for (const [source, written] of unread) {
      const keys = written.map(({ key }) => key)
      const found = source.collection ? await this.#app.storage.getMany(source.collection, keys) : []
      for (const [index, change] of written.entries()) {
        const record = found[index]?.record
        if (record) facts.set(change, pick(source, record))
      }
    }
    return facts
  }

  #eventOf(change: ClientChange, facts: Facts): ChangeEvent {
    const { cursor, collection, key, kind, revision, at, type, minion, by } = change
    const { mission, topic } = facts
    const data = {
      collection,
      key,
      kind,
      revision,
      at,
      ...(type !== undefined && { type: this.#app.registry.getById(type)?.slug ?? type }),
      ...(minion && { title: minion.title }),
      ...(by !== undefined && { by }),
      ...(mission !== undefined && { mission }),
      ...(topic !== undefined && { topic }),
    }
    const bytes = encoder.encode(`id: ${cursor}\nevent: change\ndata: ${JSON.stringify(data)}\n\n`)
    const identity = JSON.stringify([collection, key, kind, revision])
    return { cursor, identity, collection, key, type, ...facts, bytes }
  }
}

guardMethods(ChangeEvents)

const sourcesOf = guarded(
  'The events of changes',
  (app: MinionsAccess, eventSources: readonly EventSource[]): ReadonlyMap<string, Source> => {
    const operations = operationsOf(app)
    const sources = new Map<string, Source>()
    const add = (name: string, operation: string, source: Omit<Source, 'guard'> = {}) => {
      const guard = operations.get(operation)?.value
      if (guard) sources.set(name, { ...source, guard })
    }
    for (const [name, operation] of Object.entries(OWN)) add(name, operation)
    for (const { operation, ...source } of eventSources) add(source.collection.name, operation, source)
    return sources
  },
)

function pick(source: Source, record: object): Facts {
  const values = record as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    FACTS.flatMap((fact) => {
      const property = source[fact]
      const value = property === undefined ? undefined : values[property]
      return typeof value === 'string' ? [[fact, value]] : []
    }),
  )
}
