import { guarded } from '@minions/core/plugin'
import { type Diagram, type DiagramOptions, type DiagramStyle, labelLines, prepareDiagram } from './diagram.js'

/** Writes a diagram in the DOT language of Graphviz. Labels are shown literally. */
export const toDot = guarded('toDot', toDotUnchecked, { checksInside: true })

function toDotUnchecked(diagram: Diagram, options?: DiagramOptions): string {
  const { direction, groups, edges, styles } = prepareDiagram(diagram, options)
  const lines = ['digraph {', `  rankdir=${direction}`, '  node [shape=box]']
  groups.forEach(({ title, nodes }, index) => {
    const indent = title === undefined ? '  ' : '    '
    if (title !== undefined) lines.push(`  subgraph cluster_${index} {`, `    label=${quote(title)}`)
    for (const { name, label } of nodes) lines.push(`${indent}${name} [label=${quote(label)}]`)
    if (title !== undefined) lines.push('  }')
  })
  for (const { from, to, label } of edges) {
    lines.push(label?.trim() ? `  ${from} -> ${to} [label=${quote(label)}]` : `  ${from} -> ${to}`)
  }
  for (const { style, nodes } of styles) {
    const attributes = attributesOf(style)
    if (attributes !== '') lines.push(`  ${nodes.join(', ')} [${attributes}]`)
  }
  return `${lines.join('\n')}\n}\n`
}

/** Graphviz interprets backslash sequences and HTML entities inside quotes; both must be escaped. */
function quote(label: string): string {
  const lines = labelLines(label).map((line) => line.replace(/["\\]/g, '\\$&').replaceAll('&', '&amp;'))
  return `"${lines.join('\\n')}"`
}

function attributesOf({ fill, stroke, text }: DiagramStyle): string {
  const attributes: string[] = []
  if (fill !== undefined) attributes.push('style=filled', `fillcolor="${fill}"`)
  if (stroke !== undefined) attributes.push(`color="${stroke}"`)
  if (text !== undefined) attributes.push(`fontcolor="${text}"`)
  return attributes.join(' ')
}
