import type { SentMessage, TransportEndpoint } from '@minions/skills-runtime'

/** The endpoints of one transport in this process. */
export class LocalEndpoints {
  #endpoints: readonly TransportEndpoint[] = []

  get size(): number {
    return this.#endpoints.length
  }

  add(endpoint: TransportEndpoint): void {
    this.#endpoints = [...this.#endpoints, endpoint]
  }

  remove(endpoint: TransportEndpoint): void {
    this.#endpoints = this.#endpoints.filter((other) => other !== endpoint)
  }

  clear(): void {
    this.#endpoints = []
  }

  /** Delivers to all; resolves to how many accepted it. */
  async toAll(message: SentMessage, age?: number): Promise<number> {
    // Started in the same tick for all, which preserves the order of messages.
    const answers = this.#endpoints.map(async (endpoint) => endpoint.deliver(message, undefined, age))
    const results = await Promise.allSettled(answers)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return results.filter((result) => result.status === 'fulfilled' && result.value).length
  }

  /** Delivers to the first that accepts it: one that expects it, then the sender's own, then the others. */
  async toFirst(message: SentMessage, age?: number, own?: TransportEndpoint): Promise<boolean> {
    for (const endpoint of this.#byPreference(message, own)) {
      if (await endpoint.deliver(message, undefined, age)) return true
    }
    return false
  }

  expects(message: SentMessage): boolean {
    return this.#endpoints.some((endpoint) => endpoint.expects?.(message))
  }

  /** Removes the messages of an agent from all endpoints but one. */
  release(agentId: string, except?: TransportEndpoint): SentMessage[] {
    return this.#endpoints.flatMap((endpoint) => (endpoint === except ? [] : (endpoint.release?.(agentId) ?? [])))
  }

  #byPreference(message: SentMessage, own: TransportEndpoint | undefined): TransportEndpoint[] {
    const rank = (endpoint: TransportEndpoint) => (endpoint.expects?.(message) ? 0 : endpoint === own ? 1 : 2)
    return [...this.#endpoints].sort((a, b) => rank(a) - rank(b))
  }
}
