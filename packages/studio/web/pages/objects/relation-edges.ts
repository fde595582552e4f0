import type { Relation } from '../../data/records.ts'
import type { GraphEdge } from '../../parts/graph/layout.ts'

/**
 * One edge for each two objects: several lines between them would lie on top of each other, and one from an object to
 * itself behind its box.
 */
export function relationEdges(relations: readonly Relation[]): GraphEdge[] {
  const edges = new Map<string, GraphEdge>()
  for (const { sourceId, targetId, type } of relations) {
    if (sourceId === targetId) continue
    const back = edges.get(`${targetId} ${sourceId}`)
    if (back) {
      edges.set(`${targetId} ${sourceId}`, { ...back, label: `${back.label}, ← ${type}` })
      continue
    }
    const known = edges.get(`${sourceId} ${targetId}`)
    const label = known ? `${known.label}, ${type}` : type
    edges.set(`${sourceId} ${targetId}`, { from: sourceId, to: targetId, label })
  }
  return [...edges.values()]
}
