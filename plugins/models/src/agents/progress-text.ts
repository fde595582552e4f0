import type { Timers } from '@minions/core/coordination'
import type { SkillContext } from '@minions/skills-runtime'

const INTERVAL = 100
const LONGEST_NOTE = 1000

/** Reports the text of an answer as the progress of a skill while it arrives, not more often than ten times a second. */
export class ProgressText {
  readonly #context: SkillContext
  readonly #timers: Timers
  readonly #fraction: number
  #text = ''
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(context: SkillContext, timers: Timers, fraction: number) {
    this.#context = context
    this.#timers = timers
    this.#fraction = Math.min(1, fraction)
  }

  add(piece: string): void {
    this.#text += piece
    if (this.#timers.now() - this.#reportedAt >= INTERVAL) this.#report()
  }

  restart(): void {
    this.#text = ''
  }

  end(): void {
    if (this.#text !== '') this.#report()
  }

  #report(): void {
    this.#reportedAt = this.#timers.now()
    // The run may have ended while a piece was on its way.
    if (this.#context.signal.aborted) return
    this.#context.progress(this.#fraction, this.#text.slice(-LONGEST_NOTE).toWellFormed())
  }
}
