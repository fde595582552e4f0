import type { ChangeEvent } from './change-events.js'
import type { WantsEvent } from './event-filter.js'

/** Destination of a listener's events. */
export interface EventSink {
  /** Sends bytes. A promise resolves when the client is ready for more; undefined means that it is. */
  write(bytes: Uint8Array): Promise<void> | undefined
  /** Ends the stream, after a last message. */
  end(message?: Uint8Array): void
}

/**
 * Maximum number of buffered events for a slow listener; beyond that it reads from the store when it is ready.
 */
const MOST_WAITING = 1000

/** Maximum number of received events that a listener remembers; the hub never lags that far. */
const MOST_REMEMBERED = 20_000

export class EventListener {
  readonly #sink: EventSink
  readonly #wants: WantsEvent
  /** Changes that were sent before the hub reached them. */
  #sent: Set<string> | undefined
  /** Events announced by the hub while older ones were being read. */
  #held: ChangeEvent[] | undefined
  #waiting: ChangeEvent[] = []
  #sending: Promise<void> | undefined
  #cursor = ''
  #isEnded = false

  constructor(wants: WantsEvent, sink: EventSink) {
    this.#wants = wants
    this.#sink = sink
  }

  /** True if everything that the hub announced was sent. */
  get isIdle(): boolean {
    return this.#sending === undefined && this.#held === undefined
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Position of the listener while the hub may lag behind it; undefined once the hub has passed it. */
  get ahead(): string | undefined {
    return this.#sent && this.#cursor
  }

  /** Skips events when the hub announces them, since the listener knows them or reads them itself. */
  remember(events: readonly ChangeEvent[]): void {
    for (const { identity } of events) this.#remember(identity)
  }

  /** Sends older events; resolves when the listener is ready for more. */
  async catchUp(events: readonly ChangeEvent[]): Promise<void> {
    this.remember(events)
    const wanted = events.filter(this.#wants)
    if (wanted.length > 0) await this.#sink.write(joined(wanted))
  }

  /** Buffers events from the hub from now on. */
  hold(): void {
    this.#held = []
  }

  /** Sends the buffered events, all of which lie after a cursor, and events from the hub from now on. Like `tell`. */
  release(cursor: string): boolean {
    this.#cursor = cursor
    const held = this.#held ?? []
    this.#held = undefined
    return this.tell(held)
  }

  /** Takes events from the hub. False if the buffer is full: the listener must catch up once it is ready. */
  tell(events: readonly ChangeEvent[]): boolean {
    if (this.#held) {
      this.#held.push(...events)
      return true
    }
    const fresh = this.#sent ? this.#unsent(this.#sent, events) : events
    for (const event of fresh) if (this.#wants(event)) this.#waiting.push(event)
    if (this.#waiting.length > MOST_WAITING) return false
    if (this.#sending === undefined) this.#flush()
    return true
  }

  /** Drops the buffer; resolves to the cursor from which the listener must catch up, when it is ready to. */
  async drain(): Promise<string> {
    this.#waiting = []
    await this.#sending
    return this.#cursor
  }

  end(message?: Uint8Array): void {
    this.#isEnded = true
    this.#waiting = []
    this.#sink.end(message)
  }

  #remember(identity: string): void {
    this.#sent ??= new Set()
    this.#sent.add(identity)
    const [oldest] = this.#sent.size > MOST_REMEMBERED ? this.#sent : []
    if (oldest !== undefined) this.#sent.delete(oldest)
  }

  /** Skips events already sent. Once the hub has passed them, there are none. */
  #unsent(sent: Set<string>, events: readonly ChangeEvent[]): readonly ChangeEvent[] {
    const fresh = events.filter(({ identity }) => !sent.has(identity))
    if (events.length > 0 && fresh.length === events.length) this.#sent = undefined
    return fresh
  }

  /** Without a promise as long as the client keeps up: every event has many listeners. */
  #flush(): void {
    this.#sending = undefined
    while (this.#waiting.length > 0) {
      const events = this.#waiting
      this.#waiting = []
      this.#cursor = events.at(-1)?.cursor ?? this.#cursor
      this.#sending = this.#sink.write(joined(events))?.then(() => this.#flush())
      if (this.#sending !== undefined) return
    }
  }
}

/** Cache of the last concatenation: most listeners want the same events as the previous one. */
let last: { readonly events: readonly ChangeEvent[]; readonly bytes: Uint8Array } = {
  events: [],
  bytes: new Uint8Array(),
}

function joined(events: readonly ChangeEvent[]): Uint8Array {
  const [only] = events
  if (only && events.length === 1) return only.bytes
  const isLast = events.length === last.events.length && events.every((event, index) => event === last.events[index])
  if (!isLast) last = { events, bytes: join(events) }
  return last.bytes
}

function join(events: readonly ChangeEvent[]): Uint8Array {
  const bytes = new Uint8Array(events.reduce((length, event) => length + event.bytes.length, 0))
  let at = 0
  for (const event of events) {
    bytes.set(event.bytes, at)
    at += event.bytes.length
  }
  return bytes
}
