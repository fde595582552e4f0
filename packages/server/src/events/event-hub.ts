import type { ServedApp } from '../served-app.js'
import { ChangeEvents } from './change-events.js'
import type { EventListener } from './event-listener.js'

/** Changes that are read at once for a listener that begins in the past. */
const PAGE = 500

/**
 * Follows the change feed once for all listeners of a process. A listener that begins in the past reads until it is close
 * to the present, then holds what the hub tells while it reads the rest, so that it misses nothing and hears nothing twice.
 */
export class EventHub {
  readonly events: ChangeEvents
  readonly #app: ServedApp
  readonly #onKeyChange: (key: string) => void
  readonly #listeners = new Set<EventListener>()
  #following: { readonly ready: Promise<string>; readonly stop: AbortController } | undefined
  #cursor = ''
  /** Listeners, those that are about to join included. */
  #users = 0

  constructor(app: ServedApp, onKeyChange: (key: string) => void) {
    this.#app = app
    this.#onKeyChange = onKeyChange
    this.events = new ChangeEvents(app, app.server.sources)
  }

  /** Where the feed is now. */
  get cursor(): string {
    return this.#cursor
  }

  /** Checks a cursor. Throws what `listChanges` throws. */
  async check(since: string): Promise<void> {
    await this.#app.listChanges({ since, limit: 1, collections: 'all' })
  }

  /**
   * Sends a listener what lies behind a cursor, if not `now`, and resolves to where it is then; what comes meanwhile is held
   * until it is released. Every join needs a release, also when joining fails.
   */
  join(listener: EventListener, since: string): Promise<string> {
    this.#users++
    return this.#catchUp(listener, since)
  }

  /** Sends a listener that joined at a cursor what was held, and everything that is committed from now on. */
  release(listener: EventListener, cursor: string): void {
    if (!listener.release(cursor)) this.#fallBehind(listener)
  }

  leave(listener: EventListener): void {
    this.#listeners.delete(listener)
    if (--this.#users > 0) return
    this.#following?.stop.abort()
    this.#following = undefined
  }

  /** Ends all listeners; they may come back with their cursors, here or elsewhere. */
  end(): void {
    for (const listener of this.#listeners) listener.end()
  }

  async #catchUp(listener: EventListener, since: string): Promise<string> {
    const close = since === 'now' ? undefined : await this.#read(listener, since)
    await this.#follow()
    listener.hold()
    this.#listeners.add(listener)
    if (close === undefined) return this.#cursor
    await this.#readAhead(listener, this.#cursor)
    return this.#read(listener, close)
  }

  /**
   * Tells a listener which changes the hub has not come to yet. The cursor of a listener may be ahead of the hub, if it is
   * from another server: what lies between the two is known to the listener, and the hub will tell of it all the same.
   * What is not known to it is sent when the listener reads from its own cursor, which it does afterwards.
   */
  async #readAhead(listener: EventListener, since: string): Promise<void> {
    let cursor = since
    for (let more = true; more && !listener.isEnded; ) {
      const page = await this.#app.listChanges({ since: cursor, limit: PAGE, collections: 'all' })
      listener.remember(await this.events.of(page.items))
      cursor = page.cursor
      more = page.more
    }
  }

  /** Sends a listener everything up to the present, as fast as it reads. */
  async #read(listener: EventListener, since: string): Promise<string> {
    let cursor = since
    for (let more = true; more && !listener.isEnded; ) {
      const page = await this.#app.listChanges({ since: cursor, limit: PAGE, collections: 'all' })
      await listener.catchUp(await this.events.of(page.items))
      cursor = page.cursor
      more = page.more
    }
    return cursor
  }

  /** A listener that reads slowly catches up from the store, so that what waits for it has a limit. */
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
      this.#app.server.logger.error('The change feed broke off; listeners must come back.', { error })
    }
    if (signal.aborted) return
    this.#following = undefined
    this.end()
  }
}
