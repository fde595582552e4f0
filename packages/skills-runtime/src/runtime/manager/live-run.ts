import type { MinionsError } from '@minions/core'
import type { AgentSession } from '../engine/agent-session.js'
import { LazyAbort } from '../engine/lazy-abort.js'
import type { RunSettings } from '../engine/run-settings.js'
import type { Subagent } from '../subagents/subagent-schema.js'

/** A run that this process is starting: first it waits for capacity, then it has a session. */
export class LiveRun {
  readonly agent: Subagent
  session: AgentSession | undefined
  readonly settings: RunSettings
  /** A background run. Never rejects. */
  background: Promise<void> | undefined
  readonly #abort = new LazyAbort()
  #hasEnded = false
  #waiting: (() => void)[] | undefined

  constructor(agent: Subagent, settings: RunSettings) {
    this.agent = agent
    this.settings = settings
  }

  get agentId(): string {
    return this.agent.agent_id
  }

  /** Aborted when the run is stopped. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  stop(error: MinionsError): void {
    this.#abort.abort(error)
    this.session?.stop(error)
  }

  throwIfStopped(): void {
    this.#abort.throwIfAborted()
  }

  /** Marks the work as done, except for background work. */
  end(): void {
    this.#hasEnded = true
    for (const resolve of this.#waiting ?? []) resolve()
  }

  /** Resolves when this process does nothing more for the subagent. */
  async ended(): Promise<void> {
    if (!this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#waiting ??= []
        this.#waiting.push(resolve)
      })
    }
    await this.background
  }
}
