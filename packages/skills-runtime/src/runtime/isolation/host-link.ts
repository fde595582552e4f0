import type { MessagePort } from 'node:worker_threads'
import type { RemoteMethod, ToHost, ToWorker } from './protocol.js'
import { receiveError } from './transferred-error.js'

interface Call {
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** What a run says, without its number. */
type Words = ToHost extends infer Said ? (Said extends ToHost ? Omit<Said, 'run'> : never) : never

/** The way from one run in a worker to its context in the host. */
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

  /** True if the host was sent anything. */
  get hasSpoken(): boolean {
    return this.#hasSpoken
  }

  /** Most skills never look at it, so the host tells of an abort only when it was asked to. */
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

  /** Calls a method of the context in the host. */
  call<T>(method: RemoteMethod, ...args: unknown[]): Promise<T> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.say({ type: 'call', id, method, args })
      this.#calls.set(id, { resolve, reject })
    })
  }

  /** Takes what the host says; words to an earlier run in the same thread come too late. */
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
