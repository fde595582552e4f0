import { messageOf } from '@minions/core'
import { Cron } from 'croner'
import { skillsError } from '../../errors.js'

/** The first time after `after`, in milliseconds, at which a schedule is due; null if there is none. */
export function nextTime(cron: string, timezone: string, after: number): string | null {
  return read(cron, timezone).nextRun(new Date(after))?.toISOString() ?? null
}

/** The same for a new schedule. Throws `VALIDATION_FAILED` if it would never be due. */
export function firstTime(cron: string, timezone: string, after: number): string {
  const first = nextTime(cron, timezone, after)
  if (first !== null) return first
  throw skillsError('VALIDATION_FAILED', `The schedule "${cron}" is never due: no such date lies ahead.`)
}

/** Throws `VALIDATION_FAILED` for an invalid pattern or time zone. */
function read(cron: string, timezone: string): Cron {
  try {
    const pattern = new Cron(cron, { timezone, paused: true })
    // The time zone is only checked when a time is computed.
    pattern.nextRun(new Date(0))
    return pattern
  } catch (cause) {
    const message = `The schedule "${String(cron).slice(0, 100)}" in "${String(timezone).slice(0, 100)}" cannot be used: ${messageOf(cause)}`
    throw skillsError('VALIDATION_FAILED', message, { cause })
  }
}
