import type { EventSink } from '../events/event-listener.js'

/** Milliseconds that a reader may take to read what was sent. */
const LONGEST_READ = 60_000

/** The body of a response as a sink for events: what is written is read at once, without a copy or a queue. */
export class StreamSink implements EventSink {
  readonly body: ReadableStream<Uint8Array>
  /** Resolves when the stream has ended, from either side. */
  readonly closed: Promise<void>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #close = () => {}
  /** Notifies writers that the reader is ready for more. */
  #wake: (() => void) | undefined
  #isClosed = false
  #writingSince: number | undefined

  constructor() {
    this.closed = new Promise((resolve) => {
      this.#close = resolve
    })
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller
      },
      pull: () => this.#ready(),
      cancel: () => this.#finish(),
    })
  }

  /** True for a reader that does not read. It is disconnected, and catches up when it reconnects. */
  get isStuck(): boolean {
    return this.#writingSince !== undefined && performance.now() - this.#writingSince > LONGEST_READ
  }

  /** Writes after the end are dropped. A promise also resolves when the stream ends. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#isClosed || !this.#controller) return undefined
    this.#controller.enqueue(bytes)
    if ((this.#controller.desiredSize ?? 0) > 0) return undefined
    this.#writingSince ??= performance.now()
    return new Promise((resolve) => {
      const others = this.#wake
      this.#wake = () => {
        others?.()
        resolve()
      }
    })
  }

  end(message?: Uint8Array): void {
    if (this.#isClosed) return
    if (message) this.#controller?.enqueue(message)
    this.#controller?.close()
    this.#finish()
  }

  #finish(): void {
    this.#isClosed = true
    this.#close()
    this.#ready()
  }

  #ready(): void {
    this.#writingSince = undefined
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
