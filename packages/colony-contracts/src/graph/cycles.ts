import type { TaskLinks } from './task-links.js'

const NEW = 0
const ON_PATH = 1
const DONE = 2

/**
 * Finds cycles that share no task, at least one in every knot of tasks that wait for one another, each as the numbers
 * along its path. Linear in tasks and dependencies, without recursion.
 */
export function findCycles({ dependencies }: TaskLinks): number[][] {
  const cycles: number[][] = []
  const state = new Uint8Array(dependencies.length)
  const depth = new Int32Array(dependencies.length)
  const next = new Int32Array(dependencies.length)
  // By place on the path: the deepest place up to it that a reported cycle goes through, or -1.
  const reported = new Int32Array(dependencies.length)
  for (let start = 0; start < dependencies.length; start++) {
    if (state[start] !== NEW) continue
    const path = [start]
    state[start] = ON_PATH
    reported[0] = -1
    for (let current = start; path.length > 0; current = path.at(-1) ?? start) {
      const target = dependencies[current]?.[next[current] as number]
      next[current] = (next[current] as number) + 1
      if (target === undefined) {
        state[current] = DONE
        path.pop()
      } else if (state[target] === NEW) {
        depth[target] = path.length
        reported[path.length] = reported[path.length - 1] as number
        state[target] = ON_PATH
        path.push(target)
      } else if (state[target] === ON_PATH && (depth[target] as number) > (reported[path.length - 1] as number)) {
        cycles.push(path.slice(depth[target]))
        for (let place = depth[target] as number; place < path.length; place++) reported[place] = place
      }
    }
  }
  return cycles
}
