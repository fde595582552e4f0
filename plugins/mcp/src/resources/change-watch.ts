import type { Minions } from '@minions/core'
import type { ClientChange } from '@minions/core/client'
import type { EventSource } from '@minions/core/operations'
import type { Logger } from '@minions/core/plugin'
import { type Caller, type ChangeEvent, ChangeEvents, visibleTo } from '@minions/server/plugin'
import type { ServerEvent } from '@modelcontextprotocol/server'
import { OBJECTS } from './minion-resources.js'
import { resourceUri } from './resource-uri.js'
import { WORKSPACES } from './workspace-resources.js'

interface Listener {
  readonly caller: Caller
  readonly sees: (event: ChangeEvent) => boolean
  readonly tell: (event: ServerEvent) => void
  /** Called when the key of the caller was changed, and so perhaps revoked. */
  readonly keyChanged: (() => void) | undefined
}

/** Follows the change feed once for all MCP clients of a process, and notifies each of what it may read. */
export class ChangeWatch {
  readonly #app: Minions
  readonly #sources: readonly EventSource[]
  readonly #logger: Logger
  readonly #listeners = new Set<Listener>()
  #events: ChangeEvents | undefined
  #following: AbortController | undefined

  constructor(app: Minions, sources: readonly EventSource[], logger: Logger) {
    this.#app = app
    this.#sources = sources
    this.#logger = logger
  }

  /** Reports changes until the returned function is called. */
  subscribe(caller: Caller, tell: (event: ServerEvent) => void, keyChanged?: () => void): () => void {
    this.#events ??= new ChangeEvents(this.#app, this.#sources)
    const listener = { caller, tell, keyChanged, sees: visibleTo(caller, this.#events.sources) }
    this.#listeners.add(listener)
    this.#follow(this.#events)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.close()
    }
  }

  close(): void {
    this.#following?.abort()
    this.#following = undefined
  }

  #follow(events: ChangeEvents): void {
    if (this.#following) return
    const stop = new AbortController()
    this.#following = stop
    void this.#run(events, stop.signal)
  }

  async #run(events: ChangeEvents, signal: AbortSignal): Promise<void> {
    try {
      for await (const { items } of this.#app.changePages({ since: 'now', signal, collections: 'all' })) {
        for (const { collection, key } of items) if (collection === 'server_keys') this.#keyChanged(String(key))
        const byCursor = new Map(items.map((change) => [change.cursor, change]))
        for (const event of await events.of(items)) this.#tell(event, byCursor.get(event.cursor))
      }
    } catch (error) {
      this.#logger.error(
        'The change feed was interrupted; MCP clients receive no changes until they subscribe again.',
        {
          error,
        },
      )
    }
    if (!signal.aborted) this.#following = undefined
  }

  #keyChanged(key: string): void {
    for (const { caller, keyChanged } of this.#listeners) if (caller.key === key) keyChanged?.()
  }

  #tell(event: ChangeEvent, change: ClientChange | undefined): void {
    const told = change ? this.#told(event, change) : []
    if (told.length === 0) return
    for (const { sees, tell } of this.#listeners) if (sees(event)) for (const each of told) tell(each)
  }

  /** The notifications of a change. Artifacts never change, so only their list does. */
  #told({ collection, key, type }: ChangeEvent, { kind, minion }: ClientChange): ServerEvent[] {
    const list: ServerEvent = { kind: 'resources_list_changed' }
    if (collection === 'minions') {
      const isListed = kind === 'delete' || minion?.createdAt === minion?.updatedAt
      const slug = type === undefined ? undefined : this.#app.registry.getById(type)?.slug
      const prompts: ServerEvent[] = slug?.startsWith('prompt-') ? [{ kind: 'prompts_list_changed' }] : []
      const uri = resourceUri(OBJECTS, String(key))
      return [{ kind: 'resource_updated', uri }, ...(isListed ? [list] : []), ...prompts]
    }
    const { operation } = this.#sources.find((each) => each.collection.name === collection) ?? {}
    if (operation === 'workspaces.get') {
      const uri = resourceUri(WORKSPACES, String(key))
      return [{ kind: 'resource_updated', uri }, { kind: 'resource_updated', uri: `${uri}/context` }, list]
    }
    return operation === 'artifacts.get' ? [list] : []
  }
}
