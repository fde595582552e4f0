const MAX_CYCLE_REPORT = 2000

const ARROW = ' → '
/** Reserved for the opening words and the number of omitted tasks. */
const RESERVED = 100

/** Describes a cycle by its path, back to its start. A long one keeps both ends and counts the rest. */
export function describeCycle(ids: readonly string[]): string {
  const path = [...ids, ids[0] ?? '']
  const budget = MAX_CYCLE_REPORT - RESERVED
  const head: string[] = []
  const tail: string[] = []
  let used = 0
  for (let step = 0; head.length + tail.length < path.length; step++) {
    const fromEnd = step % 2 === 1
    const id = (fromEnd ? path[path.length - 1 - tail.length] : path[head.length]) as string
    used += id.length + ARROW.length
    if (used > budget) break
    if (fromEnd) tail.unshift(id)
    else head.push(id)
  }
  const omitted = path.length - head.length - tail.length
  const middle = omitted > 0 ? [`… ${omitted} more …`] : []
  return `tasks depend on one another in a cycle: ${[...head, ...middle, ...tail].join(ARROW)}`
}
