// @ts-check
import { randomUUID } from 'node:crypto'
import { createMinion, RelationGraph, validateFields } from '@minions/core'
import { toJsonSchema } from '@minions/core/schema'
import { agentType } from '@minions/core/types'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { agents, inTurn } from '../data.mjs'

/** @import { Bench } from '../area.mjs' */

const VARIED = 1024
const valid = agents(VARIED)
/** Two errors each, in different fields. */
const invalid = valid.map((agent, index) =>
  index % 2 === 0 ? { ...agent, temperature: 3, tools: agent.role } : { ...agent, model: index, maxTokens: agent.role },
)

/** @param {Bench} bench */
export default async function (bench) {
  const { schema } = agentType
  const types = ajvFor(toJsonSchema(agentType))
  const rules = ajvFor(withStorableTexts(toJsonSchema(agentType)))
  const nextValid = inTurn(valid)
  const nextInvalid = inTurn(invalid)
  for (const agent of valid) if (!validateFields(agent, schema).valid || !rules(agent)) throw new Error('a valid agent')
  for (const agent of invalid) if (validateFields(agent, schema).errors.length !== 2) throw new Error('two errors')

  await bench.compare({
    cpu: true,
    name: 'validateFields, 1,024 different agents of 6 fields',
    ours: () => validateFields(nextValid(), schema),
    peer: () => rules(nextValid()),
    peerName: 'ajv, compiled, with the rule for storable text as a format',
    bar: 0.6,
    from: 'the fastest validator there is, on the same rules',
  })
  await bench.compare({
    cpu: true,
    name: 'validateFields, the same agents, against types alone',
    ours: () => validateFields(nextValid(), schema),
    peer: () => types(nextValid()),
    peerName: 'ajv, compiled, which reads no text',
    bar: 0.6,
    from: 'the fastest validator there is',
    note: 'U+0000 and lone surrogates are found only by reading every text',
  })
  await bench.compare({
    cpu: true,
    name: 'validateFields, two errors with messages in 1,024 different agents',
    ours: () => validateFields(nextInvalid(), schema),
    peer: () => rules(nextInvalid()),
    peerName: 'ajv, compiled, all errors, the same rules',
    bar: 0.25,
    from: 'the fastest validator there is; ours also writes sentences',
  })
  await bench.compare({
    cpu: true,
    name: 'createMinion, an agent of 6 fields',
    ours: () => createMinion({ title: 'Researcher', fields: nextValid() }, agentType),
    peer: () => randomUUID(),
    peerName: 'crypto.randomUUID',
    bar: 0.12,
    from: 'the id alone',
  })

  const { graph, adjacency, next } = family(100_000)
  await bench.compare({
    cpu: true,
    name: 'getChildren among 100,000 relations, 10 children each',
    ours: () => graph.getChildren(next()),
    peer: () => [...(adjacency.get(next()) ?? [])],
    peerName: 'Map of arrays, copied',
    bar: 0.5,
    from: 'the least that an answer takes',
  })
  await bench.growth({
    cpu: true,
    name: 'getChildren as the graph grows',
    setup: (size) => {
      const grown = family(size)
      return () => grown.graph.getChildren(grown.next())
    },
    bar: 10,
    from: 'a hundredfold graph; memory is read at random',
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

/** @param {object} schema */
function ajvFor(schema) {
  const ajv = new Ajv2020({ allErrors: true })
  addFormats.default(ajv)
  ajv.addFormat('storable', (text) => text.isWellFormed() && !text.includes('\0'))
  return ajv.compile(schema)
}

/**
 * The schema with our rule for texts, which JSON Schema does not have, in the way ajv offers for such rules.
 *
 * @param {import('@minions/core/json').JsonObject} schema
 * @returns {object}
 */
function withStorableTexts(schema) {
  return JSON.parse(JSON.stringify(schema), (_, part) =>
    part?.type === 'string' ? { format: 'storable', ...part } : part,
  )
}
