import { coreError, quote } from '@minions/core'
import { getOrInsert } from '@minions/core/json'
import { type Static, Type } from 'typebox'

const DIRECTIONS = ['TB', 'BT', 'LR', 'RL'] as const

const DiagramNodeSchema = Type.Object({
  id: Type.String(),
  label: Type.Optional(Type.String({ description: 'Text in the box; default: the id.' })),
  group: Type.Optional(
    Type.String({ description: 'Boxes of the same group are drawn inside a frame with this title.' }),
  ),
  state: Type.Optional(Type.String({ description: 'Chooses a style from the `styles` of the writer.' })),
})

/** A box. Ids may be any string; they never appear in the output. */
export type DiagramNode = Readonly<Static<typeof DiagramNodeSchema>>

const DiagramEdgeSchema = Type.Object({
  from: Type.String(),
  to: Type.String(),
  label: Type.Optional(Type.String()),
})

/** An arrow. A node that is not in the list of nodes is drawn with its id. */
export type DiagramEdge = Readonly<Static<typeof DiagramEdgeSchema>>

/** Top to bottom, bottom to top, left to right or right to left. */
export type DiagramDirection = (typeof DIRECTIONS)[number]

/** Boxes and arrows, before they are written in a language. */
export const DiagramSchema = Type.Object({
  nodes: Type.Immutable(Type.Array(DiagramNodeSchema)),
  edges: Type.Immutable(Type.Array(DiagramEdgeSchema)),
  direction: Type.Optional(Type.Enum(DIRECTIONS, { description: 'Direction of the arrows; default TB.' })),
})

export type Diagram = Readonly<Static<typeof DiagramSchema>>

/** Colours as `#rrggbb` or as a name known to both CSS and Graphviz. */
export interface DiagramStyle {
  readonly fill?: string
  readonly stroke?: string
  readonly text?: string
}

export interface DiagramOptions {
  /** Overrides the diagram's own direction. */
  readonly direction?: DiagramDirection
  /** Styles of nodes by state; other nodes are plain. */
  readonly styles?: Readonly<Record<string, DiagramStyle>>
}

/** A diagram with safe names instead of ids, ready to be written. */
export interface PreparedDiagram {
  readonly direction: DiagramDirection
  /** Groups in order of first use; nodes without one come first, under an undefined title. */
  readonly groups: readonly { readonly title: string | undefined; readonly nodes: readonly PreparedNode[] }[]
  readonly edges: readonly DiagramEdge[]
  /** The styles that nodes use, with the names of those nodes. */
  readonly styles: readonly { readonly style: DiagramStyle; readonly nodes: readonly string[] }[]
}

interface PreparedNode {
  readonly name: string
  readonly label: string
}

const COLOUR = /^(#[0-9a-f]{6}([0-9a-f]{2})?|[a-z]+)$/i

/** Names the nodes `n0`, `n1` … and sorts them into groups. Throws `VALIDATION_FAILED` when an id occurs twice. */
export function prepareDiagram(diagram: Diagram, options: DiagramOptions = {}): PreparedDiagram {
  const direction = options.direction ?? diagram.direction ?? 'TB'
  if (!DIRECTIONS.includes(direction)) throw invalid(`The direction must be one of ${DIRECTIONS.join(', ')}.`)
  const names = new Map<string, string>()
  const groups = new Map<string | undefined, PreparedNode[]>([[undefined, []]])
  const styled = new Map<string, string[]>()
  const add = (node: DiagramNode): string => {
    const name = `n${names.size}`
    names.set(node.id, name)
    getOrInsert(groups, node.group, () => []).push({ name, label: node.label ?? node.id })
    if (node.state !== undefined) getOrInsert(styled, node.state, () => []).push(name)
    return name
  }
  for (const node of diagram.nodes) {
    if (names.has(node.id)) throw invalid(`The diagram has two nodes with the id ${quote(node.id)}.`)
    add(node)
  }
  const nameOf = (id: string) => names.get(id) ?? add({ id })
  const edges = diagram.edges.map((edge) => ({ ...edge, from: nameOf(edge.from), to: nameOf(edge.to) }))
  const { styles = {} } = options
  return {
    direction,
    groups: Array.from(groups, ([title, nodes]) => ({ title, nodes })),
    edges,
    styles: Array.from(styled)
      .filter(([state]) => Object.hasOwn(styles, state))
      .map(([state, nodes]) => ({ style: checkStyle(styles[state]), nodes })),
  }
}

/** Splits a label into lines of well-formed text; other control characters become spaces. */
export function labelLines(label: string): string[] {
  return label
    .toWellFormed()
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => line.replace(/\p{Cc}/gu, ' ').trim())
}

function checkStyle(style: DiagramStyle = {}): DiagramStyle {
  for (const colour of [style.fill, style.stroke, style.text]) {
    if (colour !== undefined && !(typeof colour === 'string' && COLOUR.test(colour))) {
      throw invalid(`${quote(colour)} is not a colour; use #rrggbb or a colour's name.`)
    }
  }
  return style
}

function invalid(message: string): Error {
  return coreError('VALIDATION_FAILED', message)
}
