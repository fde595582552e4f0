import type { MinionsError } from '@minions/core'
import type { AgentSession } from '../engine/agent-session.js'

/** A run that this process has begun to bring about: first it waits for room, then it has a session. */
export class LiveRun {
  readonly agentId: string
  session: AgentSession | undefined
  /** What is being done; it may be followed by something in the background. */
  done: Promise<unknown> | undefined
  /** A run that nobody waits for. Never rejects. */
  background: Promise<void> | undefined
  #giveUp: ((error: Error) => void) | undefined
  #stopped: MinionsError | undefined

  constructor(agentId: string) {
    this.agentId = agentId
  }

  /** While the run waits for room: how to give that up. */
  onWait(giveUp: (error: Error) => void): void {
    if (this.#stopped) giveUp(this.#stopped)
    else this.#giveUp = giveUp
  }

  stop(error: MinionsError): void {
    this.#stopped ??= error
    this.#giveUp?.(error)
    this.session?.stop(error)
  }

  /** Resolves when this process does nothing more for the subagent. */
  async ended(): Promise<void> {
    await this.done?.catch(() => undefined)
    await this.background
  }

  throwIfStopped(): void {
    if (this.#stopped) throw this.#stopped
  }
}
