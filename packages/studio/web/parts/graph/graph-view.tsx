import '@xyflow/react/dist/style.css'
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react'
import { memo, useEffect, useMemo, useRef } from 'react'
import { toneOf } from '../badge.tsx'
import { type GraphEdge, type GraphNode, layOut, NODE_SIZE, type Point } from './layout.ts'

export interface GraphViewProps {
  /** What the graph shows, for readers that cannot see it. */
  readonly label: string
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  readonly selected?: string | undefined
  readonly onSelect?: (id: string) => void
}

type BoxNode = Node<{ readonly node: GraphNode }, 'box'>

const NODE_TYPES = { box: memo(Box) }

/** More nodes than this are fitted into the view at a size that cannot be read. */
const READABLE = 60

/** Draws a graph. It is laid out again only when nodes or edges come or go, not when their states change. */
export function GraphView({ label, nodes, edges, selected, onSelect }: GraphViewProps) {
  const shape = JSON.stringify([nodes.map(({ id }) => id), edges.map(({ from, to }) => [from, to])])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape says when the layout changes
  const positions = useMemo(() => layOut(nodes, edges), [shape])
  const boxes = useBoxes(nodes, positions, selected)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape says when edges come or go
  const lines = useMemo(() => edges.map(lineOf), [shape])
  const flow = useRef<ReactFlowInstance<BoxNode>>(undefined)
  const fit = { maxZoom: 1, minZoom: nodes.length > READABLE ? 0.4 : 0.1 }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what came or went may be out of view
  useEffect(() => void flow.current?.fitView(fit), [shape])
  return (
    <section className="graph" aria-label={label}>
      <ReactFlow
        nodes={boxes}
        edges={lines}
        nodeTypes={NODE_TYPES}
        onNodeClick={(_, { id }) => onSelect?.(id)}
        onNodesChange={(changes) => {
          for (const change of changes) if (change.type === 'select' && change.selected) onSelect?.(change.id)
        }}
        nodesDraggable={false}
        nodesConnectable={false}
        onlyRenderVisibleElements={nodes.length > READABLE}
        fitView
        fitViewOptions={fit}
        onInit={(instance) => {
          flow.current = instance
        }}
        minZoom={0.05}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={24} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  )
}

/** One box for each node; a node that looks as before keeps its box, which is then not drawn again. */
function useBoxes(
  nodes: readonly GraphNode[],
  positions: ReadonlyMap<string, Point>,
  selected: string | undefined,
): BoxNode[] {
  const known = useRef(new Map<string, BoxNode>())
  const boxes = nodes.map((node): BoxNode => {
    const before = known.current.get(node.id)
    const position = positions.get(node.id) ?? { x: 0, y: 0 }
    const isSelected = node.id === selected
    if (before && before.position === position && before.selected === isSelected && looksSame(before.data.node, node)) {
      return before
    }
    return {
      id: node.id,
      type: 'box',
      position,
      data: { node },
      selected: isSelected,
      ariaLabel: [node.label, node.detail, node.state].filter(Boolean).join(', '),
      width: NODE_SIZE.width,
      height: NODE_SIZE.height,
    }
  })
  known.current = new Map(boxes.map((box) => [box.id, box]))
  return boxes
}

function looksSame(a: GraphNode, b: GraphNode): boolean {
  return a.label === b.label && a.detail === b.detail && a.state === b.state
}

function lineOf({ from, to, label }: GraphEdge, index: number): Edge {
  return {
    id: `${index} ${from} ${to}`,
    source: from,
    target: to,
    ...(label !== undefined && { label }),
    markerEnd: { type: MarkerType.ArrowClosed },
    focusable: false,
  }
}

function Box({ data }: { readonly data: BoxNode['data'] }) {
  const { label, detail, state } = data.node
  return (
    <div className={`box ${state === undefined ? 'plain' : toneOf(state)}`}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <span className="box-label">{label}</span>
      <span className="box-detail">{[detail, state?.replaceAll('_', ' ')].filter(Boolean).join(' · ')}</span>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  )
}
