import type { Node } from './node.js'
import type { Watched } from './watched.js'

/**
 * Tracks which nodes may point at a node, so that removing one does not scan all the others. Edges made by `connect`
 * are on both sides and need no entry; entries are for nodes that were added with connections.
 */
export class Connections {
  readonly #nodes: Watched<Node>
  #changes = -1
  #incoming = new Map<string, string[]>()

  constructor(nodes: Watched<Node>) {
    this.#nodes = nodes
    this.#refresh()
  }

  /** Call it before a node replaces another one with its id. */
  added(id: string, node: Node): void {
    this.#refresh()
    for (const neighbour of this.#nodes.get(id)?.connections ?? []) this.#note(id, neighbour)
    for (const target of node.connections) this.#note(target, id)
  }

  detach(id: string, node: Node): void {
    this.#refresh()
    for (const neighbour of node.connections) remove(this.#nodes.get(neighbour), id)
    for (const source of this.#incoming.get(id) ?? []) remove(this.#nodes.get(source), id)
    this.#incoming.delete(id)
  }

  #refresh(): void {
    if (this.#changes === this.#nodes.changes) return
    this.#changes = this.#nodes.changes
    this.#incoming = new Map()
    for (const id of this.#nodes.keys()) {
      for (const target of this.#nodes.get(id)?.connections ?? []) this.#note(target, id)
    }
  }

  #note(target: string, source: string): void {
    const sources = this.#incoming.get(target)
    if (sources) sources.push(source)
    else this.#incoming.set(target, [source])
  }
}

/** Connects two nodes both ways; false when they were already connected. */
export function connect(a: Node, aId: string, b: Node, bId: string): boolean {
  const added = [add(a, bId), add(b, aId)]
  return added.includes(true)
}

/** Disconnects two nodes both ways; false when they were not connected. */
export function disconnect(a: Node | undefined, aId: string, b: Node | undefined, bId: string): boolean {
  const removed = [remove(a, bId), remove(b, aId)]
  return removed.includes(true)
}

function add(node: Node, id: string): boolean {
  const missing = !node.connections.includes(id)
  if (missing) node.connections.push(id)
  return missing
}

function remove(node: Node | undefined, id: string): boolean {
  const index = node?.connections.indexOf(id) ?? -1
  if (index >= 0) node?.connections.splice(index, 1)
  return index >= 0
}
