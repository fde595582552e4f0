import dagre from '@dagrejs/dagre'
import { layerNodes } from './layers.ts'

/** Something that a graph shows. */
export interface GraphNode {
  readonly id: string
  readonly label: string
  /** A second line. */
  readonly detail?: string | undefined
  /** A state, which gives it its colour. */
  readonly state?: string | undefined
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly label?: string | undefined
}

export interface Point {
  readonly x: number
  readonly y: number
}

export const NODE_SIZE = { width: 176, height: 54 }

/** Maximum number of nodes that are placed with few crossings, which takes longer than people wait for many more. */
const MOST_CAREFUL = 200

/** Places nodes so that edges lead from left to right. */
export function layOut(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): ReadonlyMap<string, Point> {
  const rankGap = edges.some(({ label }) => label !== undefined) ? 110 : 44
  const nodeGap = 16
  const centres =
    nodes.length > MOST_CAREFUL
      ? layerNodes(
          nodes.map(({ id }) => id),
          edges,
          { ...NODE_SIZE, rankGap, nodeGap },
        )
      : placeCarefully(nodes, edges, rankGap, nodeGap)
  return new Map(
    nodes.map(({ id }) => {
      const { x, y } = centres.get(id) ?? { x: 0, y: 0 }
      return [id, { x: x - NODE_SIZE.width / 2, y: y - NODE_SIZE.height / 2 }]
    }),
  )
}

/** Centres of nodes, with few crossings of edges. */
function placeCarefully(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  rankGap: number,
  nodeGap: number,
): ReadonlyMap<string, Point> {
  const graph = new dagre.graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: nodeGap, ranksep: rankGap })
  graph.setDefaultEdgeLabel(() => ({}))
  const known = new Set(nodes.map(({ id }) => id))
  for (const { id } of nodes) graph.setNode(id, { ...NODE_SIZE })
  for (const [index, { from, to }] of edges.entries()) {
    if (known.has(from) && known.has(to) && from !== to) graph.setEdge(from, to, {}, String(index))
  }
  dagre.layout(graph)
  return new Map(
    nodes.map(({ id }) => {
      const { x = 0, y = 0 } = graph.node(id)
      return [id, { x, y }]
    }),
  )
}
