import type { Relation } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import type { PromptMinion } from '@minions/prompts'
import type { Diagram, DiagramNode } from './diagram.js'

const MAX_CHANGELOG = 60

/** A version chain with its root at the top; arrows point from each version to the one it follows. */
export const chainDiagram = guarded('chainDiagram', chainDiagramUnchecked)

function chainDiagramUnchecked(versions: readonly PromptMinion[], relations: readonly Relation[]): Diagram {
  const followed = new Set(relations.map(({ targetId }) => targetId))
  const nodes = versions.map((minion): DiagramNode => {
    const state = followed.has(minion.id) ? 'followed' : 'leaf'
    return { id: minion.id, label: labelOf(minion), state }
  })
  const position = new Map(versions.map(({ id }, index) => [id, index]))
  const edges = relations
    .filter(({ sourceId, targetId }) => sourceId !== targetId)
    .sort((a, b) => (position.get(a.sourceId) ?? 0) - (position.get(b.sourceId) ?? 0))
    .map(({ sourceId, targetId }) => ({ from: sourceId, to: targetId, label: 'follows' }))
  return { nodes, edges, direction: 'BT' }
}

function labelOf({ title, fields }: PromptMinion): string {
  const number = 'versionNumber' in fields ? fields.versionNumber : undefined
  const changelog = 'changelog' in fields ? fields.changelog : undefined
  const name = number === undefined ? title : `${title} v${number}`
  if (!changelog) return name
  const text = Array.from(changelog)
  return `${name}\n${text.length > MAX_CHANGELOG ? `${text.slice(0, MAX_CHANGELOG).join('')}…` : changelog}`
}
