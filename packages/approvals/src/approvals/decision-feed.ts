import { messageOf } from '@minions/core'
import { getOrInsert } from '@minions/core/json'
import { isStore, type Store } from '@minions/core/storage'
import { approvalsCollection } from './record.js'
import type { ApprovalServices } from './services.js'

/** Milliseconds between two reads of a store without a feed. */
const POLL_MS = 250

/** Reports changes of approvals by any process. Waiting callers share one reader, which stops with the last of them. */
export class DecisionFeed {
  readonly #services: ApprovalServices
  readonly #wakes = new Map<string, Set<() => void>>()
  #following: { readonly stop: AbortController; readonly ready: Promise<void> } | undefined

  constructor(services: ApprovalServices) {
    this.#services = services
  }

  /** Calls `wake` after every change from then on, and sometimes without one. Resolves to a function that ends it. */
  async watch(approvalId: string, wake: () => void): Promise<() => void> {
    const wakes = getOrInsert(this.#wakes, approvalId, () => new Set())
    wakes.add(wake)
    this.#following ??= this.#follow()
    await this.#following.ready
    return () => {
      wakes.delete(wake)
      if (wakes.size === 0 && this.#wakes.get(approvalId) === wakes) this.#wakes.delete(approvalId)
      if (this.#wakes.size === 0) this.close()
    }
  }

  close(): void {
    this.#following?.stop.abort()
    this.#following = undefined
  }

  #follow() {
    const stop = new AbortController()
    const ready = this.#begin(stop.signal).catch((error: unknown) => this.#poll(error, stop.signal))
    return { stop, ready }
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const { storage } = this.#services
    if (!isStore(storage)) throw new Error('the store has no change feed')
    const { cursor } = await storage.listChanges({ since: 'now', collections: [approvalsCollection], limit: 1 })
    void this.#read(storage, cursor, signal)
  }

  async #read(feed: Store, since: string, signal: AbortSignal): Promise<void> {
    try {
      for await (const { items } of feed.changePages({ since, collections: [approvalsCollection], signal })) {
        for (const { key } of items) this.#wake(String(key))
      }
    } catch (error) {
      this.#poll(error, signal)
    }
  }

  /** Without a feed, waiting callers poll. */
  #poll(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return
    const { log, timers } = this.#services
    log.warn('the change feed cannot be followed; approvals are polled instead', { error: messageOf(error) })
    const poll = () => {
      if (signal.aborted) return
      for (const id of [...this.#wakes.keys()]) this.#wake(id)
      timers.set(POLL_MS, poll)
    }
    poll()
  }

  #wake(id: string): void {
    for (const wake of [...(this.#wakes.get(id) ?? [])]) wake()
  }
}
