import type { ServedApp } from '../served-app.js'
import { type ChangeEvent, ChangeEvents } from './change-events.js'
import type { EventListener } from './event-listener.js'

/** Number of changes per read for a listener that begins in the past. */
const PAGE = 500

/**
 * Follows the change feed once for all listeners of a process. A listener that begins in the past reads until it is
 * close to the present, then buffers events from the hub while it reads the rest, so that it misses nothing and
 * receives nothing twice.
 */
export class EventHub {
  readonly events: ChangeEvents
  readonly #app: ServedApp
  readonly #onKeyChange: (key: string) => void
  readonly #listeners = new Set<EventListener>()
  #following: { readonly ready: Promise<string>; readonly stop: AbortController } | undefined
  #cursor = ''
  /** Number of listeners, including those about to join. */
  #users = 0

  constructor(app: ServedApp, onKeyChange: (key: string) => void) {
    this.#app = app
    this.#onKeyChange = onKeyChange
    this.events = new ChangeEvents(app, app.server.sources)
  }

  /** Current position in the feed. */
  get cursor(): string {
    return this.#cursor
  }

  /** Checks a cursor. Throws what `listChanges` throws. */
  async check(since: string): Promise<void> {
    await this.#app.listChanges({ since, limit: 1, collections: 'all' })
  }

  /**
   * Sends a listener the events after a cursor, unless it is `now`, and resolves to its new position; events that
   * arrive in the meantime are buffered until it is released. Every join needs a release, even if joining fails.
   */
  join(listener: EventListener, since: string): Promise<string> {
    this.#users++
    return this.#catchUp(listener, since)
  }

  /** Sends a listener that joined at a cursor the buffered events, and everything that is committed from now on. */
  release(listener: EventListener, cursor: string): void {
    if (!listener.release(cursor)) this.#fallBehind(listener)
  }

  leave(listener: EventListener): void {
    this.#listeners.delete(listener)
    if (--this.#users > 0) return
    this.#following?.stop.abort()
    this.#following = undefined
  }

  /** Ends all listeners; they may reconnect with their cursors, here or elsewhere. */
  end(): void {
    for (const listener of this.#listeners) listener.end()
  }

  async #catchUp(listener: EventListener, since: string): Promise<string> {
    const close = since === 'now' ? undefined : await this.#read(listener, since)
    await this.#follow()
    listener.hold()
    this.#listeners.add(listener)
    if (close === undefined) return this.#cursor
    // The cursor of a listener may be ahead of the hub if it comes from another server: the listener already knows the
    // changes in between, which the hub will announce all the same. Those it does not know are sent afterwards.
    await this.#read(listener, this.#cursor, async (events) => listener.remember(events))
    return this.#read(listener, close)
  }

  /** Gives a listener everything up to the present, as fast as it takes it; by default it is sent. */
  async #read(
    listener: EventListener,
    since: string,
    take: (events: readonly ChangeEvent[]) => Promise<void> = (events) => listener.catchUp(events),
  ): Promise<string> {
    let cursor = since
    for (let more = true; more && !listener.isEnded; ) {
      const page = await this.#app.listChanges({ since: cursor, limit: PAGE, collections: 'all' })
      await take(await this.events.of(page.items))
      cursor = page.cursor
      more = page.more
    }
    return cursor
  }

  /** A slow listener catches up from the store, so that its buffer is bounded. */
  #fallBehind(listener: EventListener): void {
    this.#listeners.delete(listener)
    const goOn = async () => {
      const cursor = await this.#catchUp(listener, await listener.drain())
      if (listener.isEnded) this.#listeners.delete(listener)
      else this.release(listener, cursor)
    }
    goOn().catch((error: unknown) => {
      this.#app.server.logger.error('A listener could not catch up.', { error })
      listener.end()
    })
  }

  async #follow(): Promise<void> {
    if (!this.#following) {
      const stop = new AbortController()
      const ready = this.#begin(stop.signal)
      this.#following = { ready, stop }
      ready.catch(() => {
        this.#following = undefined
      })
    }
    await this.#following.ready
  }

  async #begin(signal: AbortSignal): Promise<string> {
    const { cursor } = await this.#app.listChanges({ since: 'now', limit: 1, collections: 'all' })
    this.#cursor = cursor
    void this.#run(cursor, signal)
    return cursor
  }

  async #run(since: string, signal: AbortSignal): Promise<void> {
    try {
      for await (const { items, cursor } of this.#app.changePages({ since, signal, collections: 'all' })) {
        const events = await this.events.of(items)
        this.#cursor = cursor
        for (const { collection, key } of items) if (collection === 'server_keys') this.#onKeyChange(String(key))
        if (events.length === 0) continue
        for (const listener of this.#listeners) if (!listener.tell(events)) this.#fallBehind(listener)
      }
    } catch (error) {
      this.#app.server.logger.error('The change feed was interrupted; listeners must reconnect.', { error })
    }
    if (signal.aborted) return
    this.#following = undefined
    this.end()
  }
}
