import { messageOf } from '@minions/core'
import { LEASE_CHECKS, repeat } from '@minions/core/coordination'
import type { AgentSession } from '../engine/agent-session.js'
import type { Runtime } from '../engine/runtime.js'

/**
 * Renews the leases of all sessions of this process together, stores their logs, and notices changes by other
 * processes.
 */
export class LeaseKeeper {
  readonly #runtime: Runtime
  readonly #sessions = new Set<AgentSession>()
  #stop: (() => void) | undefined

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  add(session: AgentSession): void {
    if (!this.#runtime.state.durable) return
    this.#sessions.add(session)
    this.#stop ??= this.#start()
  }

  remove(session: AgentSession): void {
    this.#sessions.delete(session)
    if (this.#sessions.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }

  #start(): () => void {
    const { leaseMs, log, timers } = this.#runtime
    // Nothing else keeps the process of a paused subagent alive, and `run` has not resolved yet.
    return repeat(
      leaseMs / LEASE_CHECKS,
      () => this.#renew(),
      (error) => log.warn('leases could not be renewed; trying again', { error: messageOf(error) }),
      timers,
    )
  }

  async #renew(): Promise<void> {
    const { state } = this.#runtime
    const sessions = [...this.#sessions]
    const lost = new Set(await state.renew(sessions.map((session) => session.lease())))
    for (const session of sessions) {
      if (!this.#sessions.has(session)) continue
      // Another process may read what was logged; leases do not wait for that.
      if (!lost.has(session.agentId)) void session.flushLogs()
      if (lost.has(session.agentId)) session.lose()
      else if (session.gate.closed && (await state.agent(session.agentId))?.state === 'running') void session.unpause()
    }
  }
}
