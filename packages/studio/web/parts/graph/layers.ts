/** A node and how large the space is that it takes. */
export interface LayerOptions {
  readonly width: number
  readonly height: number
  /** Between two layers. */
  readonly rankGap: number
  /** Between two nodes of a layer. */
  readonly nodeGap: number
}

/**
 * Centres of nodes in layers from left to right: each stands behind all that lead to it, at the height of their middle
 * where there is room. It takes one pass over the edges, where a layout with few crossings takes seconds for a
 * thousand nodes. An edge that closes a cycle leads back.
 */
export function layerNodes(
  ids: readonly string[],
  edges: readonly { readonly from: string; readonly to: string }[],
  { width, height, rankGap, nodeGap }: LayerOptions,
): ReadonlyMap<string, { readonly x: number; readonly y: number }> {
  const sources = new Map<string, string[]>(ids.map((id) => [id, []]))
  for (const { from, to } of edges) if (from !== to && sources.has(from)) sources.get(to)?.push(from)
  const layers: string[][] = []
  for (const [id, rank] of ranksOf(sources)) {
    layers[rank] ??= []
    layers[rank].push(id)
  }
  const positions = new Map<string, { x: number; y: number }>()
  for (const [rank, layer] of layers.entries()) {
    const middles = new Map(layer.map((id) => [id, middleOf(sources.get(id) ?? [], positions)]))
    const ordered = layer.toSorted((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0))
    const top = (-(ordered.length - 1) * (height + nodeGap)) / 2
    for (const [index, id] of ordered.entries()) {
      positions.set(id, { x: rank * (width + rankGap), y: top + index * (height + nodeGap) })
    }
  }
  return positions
}

/** The longest way to each node, in edges; without recursion, since a chain may be as long as the graph. */
function ranksOf(sources: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  const entered = new Set<string>()
  for (const start of sources.keys()) {
    const stack = [start]
    while (stack.length > 0) {
      const id = stack.at(-1) as string
      const before = sources.get(id) ?? []
      const open = entered.has(id) ? [] : before.filter((source) => !ranks.has(source) && !entered.has(source))
      entered.add(id)
      if (open.length > 0) {
        stack.push(...open)
        continue
      }
      stack.pop()
      if (!ranks.has(id)) ranks.set(id, Math.max(-1, ...before.map((source) => ranks.get(source) ?? -1)) + 1)
    }
  }
  return ranks
}

function middleOf(sources: readonly string[], positions: ReadonlyMap<string, { readonly y: number }>): number {
  const heights = sources.flatMap((source) => positions.get(source)?.y ?? [])
  return heights.length === 0 ? 0 : heights.reduce((sum, y) => sum + y, 0) / heights.length
}
