import { repeat } from '../../coordination/timers.js'
import { guardMethods } from '../../errors/guard.js'

export interface WatchersOptions {
  /** Says whether another process may have committed since it last said so. */
  readonly poll: () => boolean | Promise<boolean>
  /** Milliseconds between two polls. */
  readonly every: number
}

/** Those who wait for commits. As long as there are any, other processes' commits are polled for. */
export class ChangeWatchers {
  readonly #wakes = new Set<() => void>()
  readonly #options: WatchersOptions | undefined
  #stopPolling: (() => void) | undefined
  #wakeCount = 0

  constructor(options?: WatchersOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#wakes.size === 0
  }

  /** How often something was committed, as far as is known here: all there is to know of a store that is not shared. */
  get commits(): number {
    return this.#wakeCount
  }

  /** Calls `wake` after every commit, at times without one; returns the function that stops it. */
  add(wake: () => void): () => void {
    const own = () => wake()
    this.#wakes.add(own)
    this.#poll()
    return () => {
      if (this.#wakes.delete(own) && this.#wakes.size === 0) this.#stop()
    }
  }

  /** Something was committed. */
  wake(): void {
    this.#wakeCount += 1
    for (const wake of [...this.#wakes]) wake()
  }

  /** Ends polling. Callers that still wait are woken and find the store closed. */
  close(): void {
    this.#stop()
    this.wake()
    this.#wakes.clear()
  }

  /** The timer keeps the process alive, as a caller that waits for changes expects. */
  #poll(): void {
    if (this.#stopPolling !== undefined || this.#options === undefined) return
    const { poll, every } = this.#options
    const look = async () => {
      if (await poll()) this.wake()
    }
    // Reading the changes tells what is wrong.
    this.#stopPolling = repeat(every, look, () => this.wake())
  }

  #stop(): void {
    this.#stopPolling?.()
    this.#stopPolling = undefined
  }
}

guardMethods(ChangeWatchers, { callsBack: ['add'] })
