import { repeat } from '../../coordination/timers.js'
import { guardMethods } from '../../errors/guard.js'
import type { Wake } from '../backend.js'

export interface WatchersOptions {
  /** True if another process may have committed since the last call. */
  readonly poll: () => boolean | Promise<boolean>
  /** Milliseconds between two polls. */
  readonly every: number
}

/** Callers waiting for commits. While there are any, commits of other processes are polled for. */
export class ChangeWatchers {
  readonly #wakes = new Set<Wake>()
  readonly #options: WatchersOptions | undefined
  #stopPolling: (() => void) | undefined
  #wakeCount = 0

  constructor(options?: WatchersOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#wakes.size === 0
  }

  /** Number of commits known here; complete for a store that is not shared. */
  get commits(): number {
    return this.#wakeCount
  }

  /** Calls `wake` after every commit, and sometimes without one; returns a function that stops it. */
  add(wake: Wake): () => void {
    const own: Wake = (collections) => wake(collections)
    this.#wakes.add(own)
    this.#poll()
    return () => {
      if (this.#wakes.delete(own) && this.#wakes.size === 0) this.#stop()
    }
  }

  /** Reports a commit, with the collections that it changed if they are known. */
  wake(collections?: ReadonlySet<string>): void {
    this.#wakeCount += 1
    for (const wake of [...this.#wakes]) wake(collections)
  }

  /** Stops polling. Waiting callers are woken and find the store closed. */
  close(): void {
    this.#stop()
    this.wake()
    this.#wakes.clear()
  }

  /** The timer keeps the process alive, as a caller waiting for changes expects. */
  #poll(): void {
    if (this.#stopPolling !== undefined || this.#options === undefined) return
    const { poll, every } = this.#options
    const tick = async () => {
      if (await poll()) this.wake()
    }
    // Reading the changes reports what is wrong.
    this.#stopPolling = repeat(every, tick, () => this.wake())
  }

  #stop(): void {
    this.#stopPolling?.()
    this.#stopPolling = undefined
  }
}

guardMethods(ChangeWatchers, { callsBack: ['add'] })
