import { areOrdered, withKeysInOrder } from '../json/key-order.js'
import { MinionSchema } from '../schemas/minion.js'

const NAMES = Object.keys(MinionSchema.properties).sort()

/** A minion with its attributes in canonical order. The order is known, which is several times as fast as sorting. */
export function inAttributeOrder<T extends object>(minion: T): T {
  const keys = Object.keys(minion)
  if (areOrdered(keys)) return minion
  const own = minion as Readonly<Record<string, unknown>>
  const ordered: Record<string, unknown> = {}
  let count = 0
  for (const name of NAMES) {
    if (!Object.hasOwn(own, name)) continue
    ordered[name] = own[name]
    count += 1
  }
  return count === keys.length ? (ordered as T) : withKeysInOrder(minion)
}
