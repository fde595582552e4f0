export type Step = (id: string) => Iterable<string>

/** Everything reachable from `start`, nearest first, each once and without `start` itself. */
export function reach(start: string, step: Step): string[] {
  const seen = new Set([start])
  // A set is iterated in insertion order, including elements added meanwhile: it is its own queue.
  for (const id of seen) {
    for (const next of step(id)) seen.add(next)
  }
  seen.delete(start)
  return [...seen]
}

/** A shortest chain from `start` to `end`, both included, or an empty list when there is none. */
export function shortestPath(start: string, end: string, step: Step): string[] {
  if (start === end) return [start]
  const cameFrom = new Map<string, string | undefined>([[start, undefined]])
  for (const id of cameFrom.keys()) {
    for (const next of step(id)) {
      if (cameFrom.has(next)) continue
      cameFrom.set(next, id)
      if (next === end) return chainTo(end, cameFrom)
    }
  }
  return []
}

/** The minions through which `end` was reached, both ends included. */
export function chainTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const chain: string[] = []
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) chain.push(id)
  return chain.reverse()
}
