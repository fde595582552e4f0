import { repeat } from '@minions/core/coordination'
import { getOrInsert } from '@minions/core/json'
import { skillsError } from '../../errors.js'
import type { Runtime } from '../engine/runtime.js'
import { noSuchAgent } from '../state/no-such-agent.js'
import { isFinal } from '../subagents/agent-state.js'
import type { Subagent } from '../subagents/subagent-schema.js'

/** Milliseconds between two queries for subagents that another process may have ended. */
const POLL_MS = 250

interface Waiter {
  readonly resolve: (agent: Subagent) => void
  readonly reject: (error: unknown) => void
}

/** Callers that wait for subagents to end, here or in another process. */
export class Waiters {
  readonly #runtime: Runtime
  readonly #waiters = new Map<string, Waiter[]>()
  #stop: (() => void) | undefined

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  async wait(agentId: string): Promise<Subagent> {
    return new Promise((resolve, reject) => {
      getOrInsert(this.#waiters, agentId, () => []).push({ resolve, reject })
      this.#stop ??= this.#watch()
      void this.#check(agentId)
    })
  }

  close(): void {
    const error = skillsError('CLOSED', 'The runtime was shut down while a caller waited for a subagent.')
    for (const agentId of [...this.#waiters.keys()]) this.#settle(agentId, (waiter) => waiter.reject(error))
  }

  /** Checks whenever a subagent ends here, and periodically, since it may end in another process. */
  #watch(): () => void {
    const { events, state, timers } = this.#runtime
    const off = events.on('agent.transition', ({ agent_id, to }) => {
      if (isFinal(to)) void this.#check(agent_id)
    })
    const poll = async () => {
      for (const agentId of [...this.#waiters.keys()]) await this.#check(agentId)
    }
    const stopPolling = state.durable ? repeat(POLL_MS, poll, () => {}, timers) : undefined
    return () => {
      this.#stop = undefined
      stopPolling?.()
      off()
    }
  }

  async #check(agentId: string): Promise<void> {
    if (!this.#waiters.has(agentId)) return
    try {
      const agent = await this.#runtime.state.agent(agentId)
      if (agent === undefined) throw noSuchAgent(agentId)
      if (isFinal(agent.state)) this.#settle(agentId, (waiter) => waiter.resolve(agent))
    } catch (error) {
      this.#settle(agentId, (waiter) => waiter.reject(error))
    }
  }

  #settle(agentId: string, settle: (waiter: Waiter) => void): void {
    const waiters = this.#waiters.get(agentId) ?? []
    this.#waiters.delete(agentId)
    for (const waiter of waiters) settle(waiter)
    if (this.#waiters.size === 0) this.#stop?.()
  }
}
