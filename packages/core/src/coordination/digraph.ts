import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
/** A directed graph over the numbers from 0: `targets[n]` are the targets of the edges of node `n`. */
export type Digraph = readonly (readonly number[])[]

/**
 * Orders nodes so that every edge points forward; among nodes without incoming edges, lower numbers come first. Nodes
 * on or behind a cycle are left out. Kahn's algorithm; linear.
 */
export const topologicalOrder = guarded('topologicalOrder', (targets: Digraph): number[] => {
  requireLists(targets)
  const incoming = new Int32Array(targets.length)
  for (const list of targets) for (const target of list) incoming[target] = at(incoming, target) + 1
  const order = [...targets.keys()].filter((node) => incoming[node] === 0)
  for (const node of order) {
    for (const target of targets[node] ?? []) {
      incoming[target] = at(incoming, target) - 1
      if (incoming[target] === 0) order.push(target)
    }
  }
  return order
})

/**
 * Numbers the strongly connected components: two nodes have the same number exactly when each is reachable from the
 * other. Tarjan's algorithm with an explicit stack, since graphs may be deeper than the call stack; linear.
 */
export const stronglyConnected = guarded('stronglyConnected', (targets: Digraph): Int32Array => {
  requireLists(targets)
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
})

/** What is not a list of lists may never end. */
function requireLists(targets: Digraph): void {
  if (Array.isArray(targets) && targets.every(Array.isArray)) return
  throw coreError('VALIDATION_FAILED', 'A graph must be a list with the list of targets of each node.')
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] as number
}
