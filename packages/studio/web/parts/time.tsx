import { createStore, useStore } from '../data/store.ts'

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Milliseconds after which what is shown of a time is looked at again. */
const TICK = 10_000

const clock = createStore(Date.now())
setInterval(() => clock.set(Date.now()), TICK)

/** How long ago a moment was, with the moment itself as its tooltip. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  useStore(clock)
  const moment = at ? Date.parse(at) : Number.NaN
  if (Number.isNaN(moment)) return <span className="faint">–</span>
  return (
    <time dateTime={at ?? ''} title={new Date(moment).toLocaleString()}>
      {ago(moment)}
    </time>
  )
}

function ago(moment: number): string {
  const seconds = (moment - Date.now()) / 1000
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return relative.format(Math.round(seconds / size), unit)
}

/** Milliseconds for people. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  const seconds = Math.round((milliseconds % 60_000) / 1000)
  return `${Math.floor(milliseconds / 60_000)} min${seconds === 0 ? '' : ` ${seconds} s`}`
}
