import { guarded } from '@minions/core/plugin'
import { type Diagram, type DiagramOptions, type DiagramStyle, labelLines, prepareDiagram } from './diagram.js'

/** Writes a diagram as a Mermaid flowchart. Labels are shown literally. */
export const toMermaid = guarded('toMermaid', toMermaidUnchecked, { checksInside: true })

function toMermaidUnchecked(diagram: Diagram, options?: DiagramOptions): string {
  const { direction, groups, edges, styles } = prepareDiagram(diagram, options)
  const lines = [`flowchart ${direction}`]
  groups.forEach(({ title, nodes }, index) => {
    const indent = title === undefined ? '  ' : '    '
    if (title !== undefined) lines.push(`  subgraph g${index}["${escapeLabel(title)}"]`)
    for (const { name, label } of nodes) lines.push(`${indent}${name}["${escapeLabel(label)}"]`)
    if (title !== undefined) lines.push('  end')
  })
  for (const { from, to, label } of edges) {
    lines.push(label?.trim() ? `  ${from} -->|"${escapeLabel(label)}"| ${to}` : `  ${from} --> ${to}`)
  }
  styles.forEach(({ style, nodes }, index) => {
    const declarations = cssOf(style)
    if (declarations !== '') lines.push(`  classDef s${index} ${declarations}`, `  class ${nodes.join(',')} s${index}`)
  })
  return `${lines.join('\n')}\n`
}

/**
 * Everything that Mermaid, or the Markdown and HTML inside its labels, could interpret as more than text. Besides the
 * obvious: `:` in styles and `%%{` in directives.
 */
const SPECIAL = /["#&<>:;%$`*_~|\\[\]{}^+@]/g

/** The beginning of a line that Markdown interprets as a list, a rule or a heading. */
const LINE_START = /^(\d*)([-.)=])/

/**
 * Sequences that Mermaid looks for after it has decoded entities, so that no entity can hide them: its own marks of
 * entities, `\n` as a line break, icons and formulas. An invisible word joiner separates them.
 */
const LATE_SYNTAX = /(?<=ﬂ)(?=°)|(?<=¶)(?=ß)|(?<=\\)(?=n)|(?<=fa[bklrs]?:)(?=fa-)|(?<=\$)(?=\$)/g

const NAMED: ReadonlyMap<string, string> = new Map([
  ['"', '#quot;'],
  ['&', '#amp;'],
  ['<', '#lt;'],
  ['>', '#gt;'],
])

function escapeLabel(label: string): string {
  const lines = labelLines(label).map((line) =>
    line
      .replace(LATE_SYNTAX, '\u2060')
      .replace(SPECIAL, entity)
      .replace(LINE_START, (_, digits: string, mark: string) => digits + entity(mark)),
  )
  // An empty pair of quotes is a syntax error.
  return lines.join('<br/>') || ' '
}

function entity(character: string): string {
  return NAMED.get(character) ?? `#${character.codePointAt(0)};`
}

function cssOf({ fill, stroke, text }: DiagramStyle): string {
  return Object.entries({ fill, stroke, color: text })
    .flatMap(([property, colour]) => (colour === undefined ? [] : [`${property}:${colour}`]))
    .join(',')
}
