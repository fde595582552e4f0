import { withKeysInOrder } from '../json/key-order.js'
import { setOwn } from '../json/set-own.js'
import { copyIfJson } from '../lifecycle/take-values.js'

type Values = Readonly<Record<string, unknown>>

/**
 * Adds values to what `_legacy` holds already. The newest value stands under the field's name, an earlier one moves to
 * `name@<time>`, so that nothing is lost.
 */
export function mergeLegacy(existing: Values, moved: Values, time: string): Record<string, unknown> {
  const legacy = copyIfJson({ ...existing }) as Record<string, unknown>
  for (const [name, value] of Object.entries(moved)) {
    if (Object.hasOwn(legacy, name)) setOwn(legacy, freeName(`${name}@${time}`, legacy, moved), legacy[name])
    setOwn(legacy, name, value)
  }
  return withKeysInOrder(legacy)
}

function freeName(wanted: string, ...taken: readonly Values[]): string {
  let name = wanted
  for (let count = 2; taken.some((values) => Object.hasOwn(values, name)); count++) name = `${wanted}#${count}`
  return name
}
