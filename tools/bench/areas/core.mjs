// @ts-check
import { randomUUID } from 'node:crypto'
import { agentType, createMinion, RelationGraph, toJsonSchema, validateFields } from '@minions/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** @import { Bench } from '../area.mjs' */

const valid = {
  role: 'Researcher',
  model: 'large-3',
  systemPrompt: 'You find sources and quote them.',
  temperature: 0.3,
  maxTokens: 4096,
  tools: ['search', 'browser', 'notes'],
}
const invalid = { ...valid, temperature: 3, tools: 'search' }

/** @param {Bench} bench */
export default async function (bench) {
  const ajv = new Ajv2020({ allErrors: true })
  addFormats.default(ajv)
  const validate = ajv.compile(toJsonSchema(agentType))
  const { schema } = agentType

  await bench.compare({
    name: 'validateFields, a valid agent of 6 fields',
    ours: () => validateFields(valid, schema),
    peer: () => validate(valid),
    peerName: 'ajv, compiled',
    bar: 0.5,
  })
  await bench.compare({
    name: 'validateFields, two errors with messages',
    ours: () => validateFields(invalid, schema),
    peer: () => validate(invalid),
    peerName: 'ajv, compiled, all errors',
    bar: 0.1,
  })
  await bench.compare({
    name: 'createMinion, an agent of 6 fields',
    ours: () => createMinion({ title: 'Researcher', fields: valid }, agentType),
    peer: () => randomUUID(),
    peerName: 'crypto.randomUUID',
    bar: 0.12,
  })

  const { graph, adjacency, next } = family(100_000)
  await bench.compare({
    name: 'getChildren among 100,000 relations, 10 children each',
    ours: () => graph.getChildren(next()),
    peer: () => [...(adjacency.get(next()) ?? [])],
    peerName: 'Map of arrays, copied',
    bar: 0.5,
  })
  await bench.growth({
    name: 'getChildren as the graph grows',
    setup: (size) => {
      const grown = family(size)
      return () => grown.graph.getChildren(grown.next())
    },
    bar: 10,
    note: 'relations',
  })
}

/**
 * Parents with ten children each, as a graph and as a plain map; `next` walks through the parents, far from one to the next.
 *
 * @param {number} relations
 */
function family(relations) {
  const graph = new RelationGraph()
  /** @type {Map<string, string[]>} */
  const adjacency = new Map()
  const parents = Array.from({ length: relations / 10 }, () => randomUUID())
  for (const parent of parents) {
    const children = Array.from({ length: 10 }, () => randomUUID())
    adjacency.set(parent, children)
    for (const child of children) graph.add({ sourceId: parent, targetId: child, type: 'parent_of' })
  }
  let turn = 0
  // A stride that shares no factor with the number of parents visits each of them.
  const next = () => {
    turn = (turn + 7919) % parents.length
    return parents[turn] ?? ''
  }
  return { graph, adjacency, next }
}
