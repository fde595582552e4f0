export class WaitGraph {
  readonly #waits = new Map<string, Map<string, number>>()

  /** Records that one agent waits for another; the returned function ends the wait. */
  add(from: string, to: string): () => void {
    const targets = this.#waits.get(from) ?? new Map<string, number>()
    this.#waits.set(from, targets)
    targets.set(to, (targets.get(to) ?? 0) + 1)
    return () => {
      const remaining = (targets.get(to) ?? 1) - 1
      if (remaining > 0) targets.set(to, remaining)
      else targets.delete(to)
      if (targets.size === 0) this.#waits.delete(from)
    }
  }

  /** The cycle that would close if `from` waited for `to`, beginning and ending with `from`; the shortest there is. */
  cycle(from: string, to: string): string[] | undefined {
    if (from === to) return [from, to]
    const reachedFrom = new Map<string, string>([[to, from]])
    for (const agent of reachedFrom.keys()) {
      for (const next of this.#waits.get(agent)?.keys() ?? []) {
        if (next === from) return pathTo(agent, from, reachedFrom)
        if (!reachedFrom.has(next)) reachedFrom.set(next, agent)
      }
    }
    return undefined
  }
}

function pathTo(last: string, from: string, reachedFrom: ReadonlyMap<string, string>): string[] {
  const path = [from]
  for (let agent = last; agent !== from; agent = reachedFrom.get(agent) as string) path.unshift(agent)
  return [from, ...path]
}
