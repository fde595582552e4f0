import { callingBack, guarded } from '../errors/guard.js'
import { takeItems } from '../errors/take.js'

/** An order in which dependencies come first, or the cycle that prevents one, beginning and ending with the same node. */
export type DependencyOrder<T> =
  | { readonly order: readonly T[]; readonly cycle?: never }
  | { readonly cycle: readonly T[]; readonly order?: never }

/**
 * Orders the given nodes and everything they depend on, each once, dependencies first and otherwise in the given order.
 * Visits only reachable nodes, in linear time and without recursion.
 */
export const dependencyOrder = guarded('dependencyOrder', dependencyOrderUnchecked)

function dependencyOrderUnchecked<T>(
  nodes: Iterable<T>,
  dependenciesOf: (node: T) => readonly T[],
): DependencyOrder<T> {
  const needed = callingBack(dependenciesOf)
  const done = new Set<T>()
  const open = new Set<T>()
  for (const start of takeItems('The nodes', nodes)) {
    const path: { readonly node: T; readonly dependencies: readonly T[]; next: number }[] = []
    const enter = (node: T) => {
      open.add(node)
      path.push({ node, dependencies: needed(node), next: 0 })
    }
    if (!done.has(start)) enter(start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      if (top.next === top.dependencies.length) {
        open.delete(top.node)
        done.add(top.node)
        path.pop()
        continue
      }
      const dependency = top.dependencies[top.next++] as T
      if (open.has(dependency)) {
        const names = path.map(({ node }) => node)
        return { cycle: [...names.slice(names.indexOf(dependency)), dependency] }
      }
      if (!done.has(dependency)) enter(dependency)
    }
  }
  return { order: [...done] }
}
