/** Who depends on whom, by name. */
export interface DependencyGraph {
  /** The dependencies of a skill, or `undefined` when there is no such skill. */
  dependenciesOf(name: string): readonly string[] | undefined
}

/** An order in which dependencies come first, or the circle that prevents one. */
export type Ordering =
  | { readonly order: readonly string[]; readonly cycle?: never }
  | { readonly cycle: readonly string[]; readonly order?: never }

/**
 * Orders the given skills and all they depend on, each once, dependencies first. Takes time in proportion to the skills
 * and dependencies reached, and no stack. Names the graph does not know are passed over.
 */
export function orderDependencies(names: Iterable<string>, graph: DependencyGraph): Ordering {
  const order: string[] = []
  const done = new Set<string>()
  const open = new Set<string>()
  for (const start of names) {
    if (done.has(start)) continue
    const path: { name: string; dependencies: readonly string[]; next: number }[] = []
    const enter = (name: string) => {
      open.add(name)
      path.push({ name, dependencies: graph.dependenciesOf(name) ?? [], next: 0 })
    }
    enter(start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const dependency = top.dependencies[top.next++]
      if (dependency === undefined) {
        open.delete(top.name)
        done.add(top.name)
        order.push(top.name)
        path.pop()
      } else if (open.has(dependency)) {
        const names = path.map(({ name }) => name)
        return { cycle: [...names.slice(names.indexOf(dependency)), dependency] }
      } else if (!done.has(dependency) && graph.dependenciesOf(dependency) !== undefined) {
        enter(dependency)
      }
    }
  }
  return { order }
}
