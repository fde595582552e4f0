import type { SentMessage } from '../message/sent-message.js'
import { compilePattern, isPattern, type TopicMatch } from './topic-pattern.js'

/** A receiver of the messages of a topic: a handler, or an agent's mailbox. */
export interface Subscriber {
  /** `now` is the time at which the message is delivered. */
  put(message: SentMessage, expiresAt: number, now: number): boolean | Promise<boolean>
}

interface Entry {
  readonly matches: TopicMatch
  readonly subscriber: Subscriber
  readonly agentId: string | undefined
}

/** Topics come from outside, so the lookup cache must not grow without bound. */
const MOST_ROUTES = 1000

export class Subscriptions {
  readonly #entries = new Set<Entry>()
  readonly #routes = new Map<string, readonly Subscriber[]>()
  /** Makes the end of an agent without subscriptions, the usual case, free. */
  readonly #byAgent = new Map<string, Set<Entry>>()

  /** Adds a subscriber and returns a function that removes it, which returns true if it was still there. */
  add(pattern: string | RegExp, subscriber: Subscriber, agentId?: string): () => boolean {
    const entry = { matches: matcherOf(pattern), subscriber, agentId }
    this.#entries.add(entry)
    if (agentId !== undefined) this.#byAgent.set(agentId, (this.#byAgent.get(agentId) ?? new Set()).add(entry))
    this.#routes.clear()
    return () => this.#remove(entry)
  }

  /** The subscribers of a topic, in the order in which they subscribed. */
  for(topic: string): readonly Subscriber[] {
    const known = this.#routes.get(topic)
    if (known !== undefined) return known
    const found = [...this.#entries].filter(({ matches }) => matches(topic)).map(({ subscriber }) => subscriber)
    if (this.#routes.size >= MOST_ROUTES) this.#routes.clear()
    this.#routes.set(topic, found)
    return found
  }

  removeAgent(agentId: string): void {
    for (const entry of this.#byAgent.get(agentId) ?? []) this.#remove(entry)
  }

  #remove(entry: Entry): boolean {
    this.#routes.clear()
    const { agentId } = entry
    const ofAgent = agentId === undefined ? undefined : this.#byAgent.get(agentId)
    if (ofAgent?.delete(entry) && ofAgent.size === 0) this.#byAgent.delete(agentId as string)
    return this.#entries.delete(entry)
  }
}

function matcherOf(pattern: string | RegExp): TopicMatch {
  return typeof pattern === 'string' && !isPattern(pattern) ? (topic) => topic === pattern : compilePattern(pattern)
}
