import { BoundedMap } from '@minions/core/json'
import type { SentMessage, TransportEndpoint } from '@minions/skills-runtime'
import type { LocalEndpoints } from './local-endpoints.js'
import type { Answers } from './outbox.js'

/** Maximum number of agents and requests whose location is cached; others are looked up. */
const MOST_KNOWN = 10_000

export interface RoutesOptions {
  /** Asks all others where the recipient receives: 1 if it does there. */
  readonly query: (message: SentMessage) => Promise<Answers>
  /** Sends a message to one member; false if it is refused there. */
  readonly send: (member: string, message: SentMessage) => Promise<boolean>
}

/**
 * Finds the one endpoint for a message with a recipient: where a caller waits for a response, where the agent receives,
 * or else the first that accepts it, starting here.
 */
export class Routes {
  readonly #endpoints: LocalEndpoints
  readonly #options: RoutesOptions
  /** Members at which agents receive. */
  readonly #homes = new BoundedMap<string, string>(MOST_KNOWN)
  /** Members from which requests came, by correlation. */
  readonly #requesters = new BoundedMap<string, string>(MOST_KNOWN)
  /** Pending searches for recipients; later messages to them wait, which preserves their order. */
  readonly #searches = new Map<string, Promise<unknown>>()

  constructor(endpoints: LocalEndpoints, options: RoutesOptions) {
    this.#endpoints = endpoints
    this.#options = options
  }

  /** An agent receives at a member from now on. */
  claimed(agentId: string, member: string): void {
    this.#homes.set(agentId, member)
  }

  /** Remembers who sent a request, since its response belongs there. */
  noteSender({ message_type, correlation_id }: SentMessage, member: string): void {
    if (message_type === 'request' && correlation_id !== null) this.#requesters.set(correlation_id, member)
  }

  /** Delivers to one endpoint; 0 if none accepts the message. */
  async toOne(message: SentMessage, own: TransportEndpoint): Promise<number> {
    const recipient = message.recipient_id ?? ''
    for (;;) {
      if (this.#endpoints.expects(message)) return Number(await this.#endpoints.toFirst(message, undefined, own))
      const member = this.#memberFor(message)
      if (member !== undefined) {
        if (await this.#options.send(member, message)) return 1
        this.#homes.delete(recipient)
        this.#requesters.delete(message.correlation_id ?? '')
      }
      const search = this.#searches.get(recipient)
      if (search === undefined) break
      await search
    }
    const searching = this.#search(message, own)
    const settled = searching.then(
      () => {},
      () => {},
    )
    this.#searches.set(recipient, settled)
    try {
      return Number(await searching)
    } finally {
      if (this.#searches.get(recipient) === settled) this.#searches.delete(recipient)
    }
  }

  #memberFor(message: SentMessage): string | undefined {
    const isAnswer = message.message_type === 'response' || message.message_type === 'error'
    const requester = isAnswer ? this.#requesters.get(message.correlation_id ?? '') : undefined
    return requester ?? this.#homes.get(message.recipient_id ?? '')
  }

  async #search(message: SentMessage, own: TransportEndpoint): Promise<boolean> {
    const recipient = message.recipient_id ?? ''
    const answers = [...(await this.#options.query(message))]
    const isHome = (answer: unknown) => answer === 1
    const sendToFirst = async (members: readonly string[]) => {
      for (const member of members) {
        if (!(await this.#options.send(member, message))) continue
        this.#homes.set(recipient, member)
        return true
      }
      return false
    }
    if (await sendToFirst(answers.filter(([, answer]) => isHome(answer)).map(([member]) => member))) return true
    if (await this.#endpoints.toFirst(message, undefined, own)) return true
    return sendToFirst(answers.filter(([, answer]) => !isHome(answer)).map(([member]) => member))
  }
}
