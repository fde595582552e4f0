import type { MessagePort } from 'node:worker_threads'
import type { RemoteMethod, ToHost, ToWorker } from './protocol.js'
import { receiveError } from './transferred-error.js'

interface Call {
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** A message of a run, without its number. */
type Words = ToHost extends infer Said ? (Said extends ToHost ? Omit<Said, 'run'> : never) : never

/** The link from one run in a worker to its context in the host. */
export class HostLink {
  readonly #run: number
  readonly #port: MessagePort
  readonly #calls = new Map<number, Call>()
  #controller: AbortController | undefined
  #lastId = 0
  #hasSpoken = false

  constructor(run: number, port: MessagePort) {
    this.#run = run
    this.#port = port
  }

  get hasSpoken(): boolean {
    return this.#hasSpoken
  }

  /** Most skills never read it, so the host reports an abort only on request. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      this.say({ type: 'listen' })
    }
    return this.#controller.signal
  }

  say(words: Words): void {
    this.#port.postMessage({ ...words, run: this.#run })
    this.#hasSpoken = true
  }

  call<T>(method: RemoteMethod, ...args: unknown[]): Promise<T> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.say({ type: 'call', id, method, args })
      this.#calls.set(id, { resolve, reject })
    })
  }

  /** Handles messages from the host; those for an earlier run in the same thread are ignored. */
  hear(message: ToWorker): void {
    if (message.run !== this.#run) return
    if (message.type === 'abort') {
      this.#controller?.abort(receiveError(message.reason))
      return
    }
    const call = this.#calls.get(message.id)
    this.#calls.delete(message.id)
    if (message.type === 'returned') call?.resolve(message.value as never)
    else call?.reject(receiveError(message.error))
  }
}
