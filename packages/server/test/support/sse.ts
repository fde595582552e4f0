/** One server-sent event. */
export interface Received {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: what is read back is compared, not used
  readonly data: any
}

/** Reads server-sent events one by one; messages without data only carry the id on. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<string>
  #text = ''
  #queue: Received[] = []
  #isCaughtUp = false
  /** The last id, which a listener comes back with. */
  lastId = ''
  ended = false

  constructor(answer: Response) {
    if (!answer.body) throw new Error('The answer has no body.')
    this.#reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  }

  /** The next event; undefined when the stream has ended. */
  async next(): Promise<Received | undefined> {
    while (this.#queue.length === 0) {
      const { done, value } = await this.#reader.read()
      if (done) {
        this.ended = true
        return undefined
      }
      this.#take(value)
    }
    const received = this.#queue.shift()
    this.lastId = received?.id || this.lastId
    return received
  }

  async take(count: number): Promise<Received[]> {
    const all: Received[] = []
    while (all.length < count) {
      const received = await this.next()
      if (!received) break
      all.push(received)
    }
    return all
  }

  /** Resolves when the stream has said where it begins. */
  async opened(): Promise<this> {
    while (this.lastId === '' && this.#queue.length === 0) {
      const { done, value } = await this.#reader.read()
      if (done) throw new Error('The stream ended before it began.')
      this.#take(value)
    }
    return this
  }

  /** The events of the past that the stream was asked for; it says when it has come to the present. */
  async past(): Promise<Received[]> {
    while (!this.#isCaughtUp) {
      const { done, value } = await this.#reader.read()
      if (done) throw new Error('The stream ended in the past.')
      this.#take(value)
    }
    return this.#queue.splice(0)
  }

  close(): Promise<void> {
    return this.#reader.cancel()
  }

  #take(chunk: string): void {
    const messages = (this.#text + chunk).split('\n\n')
    this.#text = messages.pop() ?? ''
    for (const message of messages) {
      if (message.startsWith('retry: ')) this.#isCaughtUp = true
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1] ?? ''
      const data = field('data')
      if (data !== '') this.#queue.push({ id: field('id'), event: field('event'), data: JSON.parse(data) })
      else if (this.#queue.length === 0) this.lastId = field('id') || this.lastId
    }
  }
}
