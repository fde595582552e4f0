import type { Timers } from '@minions/core/coordination'
import type { SkillContext } from '@minions/skills-runtime'

const INTERVAL = 100
const LONGEST_NOTE = 1000

/** Reports the text of an answer as the progress of a skill while it arrives, not more often than ten times a second. */
export function progressText(context: SkillContext, timers: Timers, fraction: number) {
  let text = ''
  let reportedAt = Number.NEGATIVE_INFINITY
  const report = () => {
    reportedAt = timers.now()
    // The run may have ended while a piece was on its way.
    if (!context.signal.aborted) context.progress(Math.min(1, fraction), text.slice(-LONGEST_NOTE).toWellFormed())
  }
  return {
    add(piece: string): void {
      text += piece
      if (timers.now() - reportedAt >= INTERVAL) report()
    },
    restart(): void {
      text = ''
    },
    end(): void {
      if (text !== '') report()
    },
  }
}
