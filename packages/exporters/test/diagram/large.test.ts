import { expect, it } from 'vitest'
import { toDot, toMermaid } from '../../src/index.js'

it.each([
  ['toMermaid', toMermaid],
  ['toDot', toDot],
])('%s writes more nodes than a function can have arguments', (_, write) => {
  const nodes = Array.from({ length: 130_000 }, (_, index) => ({ id: `n${index}`, label: `Node ${index}` }))
  const grouped = nodes.map((node) => ({ ...node, group: 'All' }))
  expect(write({ nodes, edges: [] }).match(/Node \d+/g)).toHaveLength(nodes.length)
  expect(write({ nodes: grouped, edges: [] }).match(/Node \d+/g)).toHaveLength(nodes.length)
})
