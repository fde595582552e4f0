import { withKeysInOrder } from '../json/key-order.js'
import { setOwn } from '../json/set-own.js'
import { copyIfJson } from '../lifecycle/take-values.js'

type Values = Readonly<Record<string, unknown>>

/** Suffix of a field name whose value was set aside more than once: a time and, if that was taken, a number. */
const EARLIER = /^\d{4}-\d\d-\d\dT[\d:.]+Z(#\d+)?$/

/** Adds values to `_legacy`: the newest under the field's name, an earlier one moves to `name@<time>`. */
export function mergeLegacy(existing: Values, moved: Values, time: string): Record<string, unknown> {
  const legacy = copyIfJson({ ...existing }) as Record<string, unknown>
  for (const [name, value] of Object.entries(moved)) {
    if (Object.hasOwn(legacy, name)) setOwn(legacy, freeName(`${name}@${time}`, legacy, moved), legacy[name])
    setOwn(legacy, name, value)
  }
  return withKeysInOrder(legacy)
}

/** The keys in `_legacy` under which values of a field were set aside, newest first. */
export function legacyKeys(legacy: Values, name: string): string[] {
  const earlier = Object.keys(legacy).filter(
    (key) => key.startsWith(`${name}@`) && EARLIER.test(key.slice(name.length + 1)),
  )
  return [...(Object.hasOwn(legacy, name) ? [name] : []), ...earlier.sort().reverse()]
}

function freeName(wanted: string, ...taken: readonly Values[]): string {
  let name = wanted
  for (let count = 2; taken.some((values) => Object.hasOwn(values, name)); count++) name = `${wanted}#${count}`
  return name
}
