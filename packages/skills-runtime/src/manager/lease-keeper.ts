import type { AgentSession } from '../engine/agent-session.js'
import type { Runtime } from '../engine/runtime.js'

/** Renews the leases of all sessions of this process together, stores their logs, and notices what other processes did. */
export class LeaseKeeper {
  readonly #runtime: Runtime
  readonly #sessions = new Set<AgentSession>()
  #cancel: (() => void) | undefined

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  add(session: AgentSession): void {
    if (!this.#runtime.state.durable) return
    this.#sessions.add(session)
    this.#cancel ??= this.#plan()
  }

  remove(session: AgentSession): void {
    this.#sessions.delete(session)
    if (this.#sessions.size > 0) return
    this.#cancel?.()
    this.#cancel = undefined
  }

  #plan(): () => void {
    const tick = () => {
      this.#renew()
        .catch((error: unknown) => {
          this.#runtime.log.warn('leases could not be renewed; trying again', { error: String(error) })
        })
        .finally(() => {
          if (this.#cancel !== undefined) this.#cancel = this.#plan()
        })
    }
    // Nothing else keeps the process of a paused subagent alive, and `run` has not resolved yet.
    return this.#runtime.timers.set(this.#runtime.leaseMs / 3, tick)
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
