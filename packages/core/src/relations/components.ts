import type { Digraph } from './digraph.js'

/**
 * Numbers the strongly connected components: two minions have the same number exactly when each can be reached from
 * the other. Tarjan's algorithm with a stack of its own, since relations nest deeper than a call stack may.
 */
export function stronglyConnected({ targets }: Digraph): Int32Array {
  const count = targets.length
  const component = new Int32Array(count).fill(-1)
  const index = new Int32Array(count).fill(-1)
  const low = new Int32Array(count)
  const nextChild = new Int32Array(count)
  const open: number[] = []
  const callers: number[] = []
  let visited = 0
  let components = 0

  const enter = (node: number) => {
    index[node] = visited
    low[node] = visited++
    open.push(node)
    callers.push(node)
  }
  const lower = (node: number, to: number) => {
    low[node] = Math.min(at(low, node), to)
  }

  for (let root = 0; root < count; root++) {
    if (index[root] === -1) enter(root)
    for (let node = callers.at(-1); node !== undefined; node = callers.at(-1)) {
      const child = targets[node]?.[at(nextChild, node)]
      if (child !== undefined) {
        nextChild[node] = at(nextChild, node) + 1
        if (index[child] === -1) enter(child)
        else if (component[child] === -1) lower(node, at(index, child))
        continue
      }
      callers.pop()
      const caller = callers.at(-1)
      if (caller !== undefined) lower(caller, at(low, node))
      if (low[node] !== index[node]) continue
      let member: number | undefined
      do {
        member = open.pop()
        if (member !== undefined) component[member] = components
      } while (member !== node)
      components++
    }
  }
  return component
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0
}
