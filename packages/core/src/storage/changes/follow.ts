import type { SharedFeed } from './shared-feed.js'
import { Steps } from './steps.js'
import type { StoreChangePage } from './store-change.js'

export interface Following<Page extends object> {
  readonly since: string
  readonly collections: readonly string[] | undefined
  readonly signal: AbortSignal | undefined
  /** Maps each page to the delivered value. */
  readonly map: (page: StoreChangePage) => Page | Promise<Page>
  readonly onEnd: (follower: Follower<Page>) => void
}

/** Follows a feed: reads what exists, then waits for commits. A slow reader holds only its current page in memory. */
export class Follower<Page extends object> extends Steps<Page> {
  readonly #source: SharedFeed
  readonly #following: Following<Page>
  readonly #wanted: ReadonlySet<string> | undefined
  #cursor: string
  /** `now` is the time of the call, not of the first step. */
  #first: Promise<StoreChangePage> | undefined
  #isLive = false
  #isEnded = false
  #isWoken = false
  #stopWatching: (() => void) | undefined
  #endWaiting: (() => void) | undefined

  constructor(source: SharedFeed, following: Following<Page>) {
    super()
    const { since, collections, signal } = following
    this.#source = source
    this.#following = following
    this.#cursor = since
    this.#wanted = collections && new Set(collections)
    if (signal?.aborted) this.end()
    else signal?.addEventListener('abort', this.#abort)
    if (since === 'now' && !this.#isEnded) {
      this.#first = source.read(since, collections)
      this.#first.catch(() => {})
    }
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#following.signal?.removeEventListener('abort', this.#abort)
    this.#stopWatching?.()
    this.#endWaiting?.()
    this.#following.onEnd(this)
  }

  protected async step(): Promise<Page | undefined> {
    try {
      while (!this.#isEnded) {
        this.#stopWatching ??= this.#source.watch(this.#wake)
        this.#isWoken = false
        const page = await this.#read()
        if (this.#isEnded) break
        const hasMoved = page.cursor !== this.#cursor
        this.#cursor = page.cursor
        this.#isLive ||= !page.more
        if (hasMoved) return await this.#following.map(page)
        await this.#nextCommit()
      }
      return undefined
    } catch (error) {
      // The caller ended it, so an interrupted read is not reported.
      if (this.#isEnded) return undefined
      this.end()
      throw error
    }
  }

  async #read(): Promise<StoreChangePage> {
    const first = this.#first
    this.#first = undefined
    if (first) return first
    if (!this.#isLive) return this.#source.read(this.#cursor, this.#following.collections)
    const page = await this.#source.readShared(this.#cursor)
    const wanted = this.#wanted
    return wanted ? { ...page, items: page.items.filter(({ collection }) => wanted.has(collection)) } : page
  }

  async #nextCommit(): Promise<void> {
    if (this.#isWoken || this.#isEnded) return
    await new Promise<void>((resolve) => {
      this.#endWaiting = resolve
    })
  }

  readonly #abort = (): void => this.end()

  readonly #wake = (): void => {
    this.#isWoken = true
    this.#endWaiting?.()
  }
}
