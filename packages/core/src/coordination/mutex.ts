import { guardMethods } from '../errors/guard.js'
import { Semaphore } from './semaphore.js'

/** Lets one caller run at a time, first come, first served. */
export class Mutex extends Semaphore {
  constructor() {
    super(1)
  }
}

/** Mutexes by name, for resources shared by several objects of this process, such as a file. */
export class MutexPool {
  readonly #entries = new Map<string, { readonly mutex: Mutex; users: number }>()

  /** The mutex of this name. Every user must close it. */
  open(name: string): Mutex {
    const entry = this.#entries.get(name) ?? { mutex: new Mutex(), users: 0 }
    entry.users++
    this.#entries.set(name, entry)
    return entry.mutex
  }

  close(name: string): void {
    const entry = this.#entries.get(name)
    if (entry !== undefined && --entry.users === 0) this.#entries.delete(name)
  }
}

guardMethods(MutexPool)
