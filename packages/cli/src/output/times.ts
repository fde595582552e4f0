const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Units from large to small, each with its minimum number of milliseconds. */
const UNITS: readonly (readonly [name: string, length: number, from: number])[] = [
  ['year', 365.25 * DAY, 365 * DAY],
  ['month', 30.44 * DAY, 60 * DAY],
  ['day', DAY, 36 * HOUR],
  ['hour', HOUR, 90 * MINUTE],
  ['minute', MINUTE, 90_000],
  ['second', 1000, 5000],
]

/** True for a date with its time, as records have it. */
export function isTime(text: string): boolean {
  return ISO.test(text)
}

/** A relative time, past or future: `3 minutes ago`, `in 2 days`. */
export function relativeTime(iso: string, now: number = Date.now()): string {
  const difference = now - Date.parse(iso)
  if (Number.isNaN(difference)) return iso
  const distance = Math.abs(difference)
  const [name, length] = UNITS.find(([, , from]) => distance >= from) ?? []
  if (name === undefined || length === undefined) return 'just now'
  const count = Math.round(distance / length)
  const text = `${count} ${name}${count === 1 ? '' : 's'}`
  return difference > 0 ? `${text} ago` : `in ${text}`
}
