import { Cron } from 'croner'
import { skillsError } from '../../errors.js'

/** The first time after `after`, in milliseconds, at which a schedule is due; undefined when there is none any more. */
export function nextTime(cron: string, timezone: string, after: number): number | undefined {
  return read(cron, timezone).nextRun(new Date(after))?.getTime()
}

/** Throws `VALIDATION_FAILED` for a pattern or a time zone that cannot be used. */
function read(cron: string, timezone: string): Cron {
  try {
    const pattern = new Cron(cron, { timezone, paused: true })
    // A time zone is only looked at when a time is computed.
    pattern.nextRun(new Date(0))
    return pattern
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it cannot be read'
    throw skillsError(
      'VALIDATION_FAILED',
      `The schedule "${String(cron).slice(0, 100)}" in "${String(timezone).slice(0, 100)}" cannot be used: ${why}`,
      { cause },
    )
  }
}
