// @ts-check
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BOOTSTRAP_PROMPT_FILES,
  ContextBuilder,
  initWorkspace,
  Node,
  NodeType,
  Rule,
  RulePriority,
  Workspace,
} from '@minions/workspace'

import { words } from '../data.mjs'

/** @import { Bench } from '../area.mjs' */

/** @param {Bench} bench */
export default async function (bench) {
  await evaluation(bench)
  await graph(bench)
  await context(bench)
}

/** @param {Bench} bench */
async function evaluation(bench) {
  const types = Object.values(NodeType)
  const priorities = Object.values(RulePriority)
  const workspace = new Workspace({ name: 'bench' })
  for (let index = 0; index < 100; index++) workspace.state[`key${index}`] = `value${index}`
  for (let index = 0; index < 10_000; index++) {
    workspace.addNode(new Node({ name: `node ${index}`, type: types[index % 5] ?? NodeType.CUSTOM }))
  }
  for (let index = 0; index < 1_000; index++) {
    const conditions = [
      { type: 'always' },
      { type: 'state_equals', key: `key${index % 100}`, value: `value${index % 90}` },
      { type: 'node_count', operator: '>=', count: index * 20 },
      { type: 'node_type_exists', node_type: types[index % 5] },
    ]
    const priority = priorities[index % 4] ?? RulePriority.MEDIUM
    workspace.addRule(new Rule({ name: `rule ${index}`, priority, condition: conditions[index % 4] ?? {} }))
  }
  const nodes = Object.values(workspace.nodes)
  const rules = workspace.getAllRules()
  const byHand = () => {
    const matches = []
    for (const { id, name, action, condition, priority, inherited_from } of rules) {
      const { type, key, value, count, node_type } = /** @type {Record<string, any>} */ (condition)
      const holds =
        type === 'always' ||
        (type === 'state_equals' && workspace.state[key] === value) ||
        (type === 'node_count' && nodes.length >= count) ||
        (type === 'node_type_exists' && nodes.some((node) => node.type === node_type))
      if (holds) matches.push({ rule_id: id, rule_name: name, action, priority, inherited_from })
    }
    return matches
  }
  if (byHand().length !== workspace.evaluateStateLogic().length) throw new Error('both find the same rules')
  await bench.compare({
    cpu: true,
    name: 'evaluate 1,000 rules on 10,000 nodes',
    ours: () => workspace.evaluateStateLogic(),
    peer: byHand,
    peerName: 'a loop by hand',
    note: 'the loop has its rules sorted already and finds every type among the first nodes',
    bar: 0.5,
    from: 'the least that it takes',
  })
}

/** @param {Bench} bench */
async function graph(bench) {
  const ring = (/** @type {number} */ size) => {
    const workspace = new Workspace({ name: 'ring' })
    const ids = Array.from({ length: size }, (_, index) => `node${index}`)
    for (const id of ids) workspace.addNode(new Node({ name: id, id }))
    ids.forEach((id, index) => {
      workspace.connectNodes(id, ids[(index + 1) % size] ?? id)
    })
    return workspace
  }
  /** Pairs of nodes in turn, far from each other: of all the nodes, or of as many of them. */
  const pairs = (/** @type {number} */ size, among = size) => {
    let at = 0
    return () => {
      at = (at + 7919) % among
      const from = at * Math.floor(size / among)
      return /** @type {[string, string]} */ ([`node${from}`, `node${(from + 45) % size}`])
    }
  }
  const local = { cpu: true, bar: 2, from: 'it touches two nodes, however many there are' }
  await bench.growth({
    ...local,
    name: 'connect and disconnect two nodes',
    note: 'the same hundred pairs at every size, as memory that was not read lately is slow for everyone',
    setup: (size) => {
      const workspace = ring(size)
      const next = pairs(size, 100)
      return () => {
        const [from, to] = next()
        return workspace.connectNodes(from, to) && workspace.disconnectNodes(from, to)
      }
    },
  })
  for (const size of [1_000, 100_000]) {
    const workspace = ring(size)
    const byHand = ringByHand(size)
    const [next, nextByHand] = [pairs(size), pairs(size)]
    await bench.compare({
      cpu: true,
      name: `connect and disconnect two of ${size.toLocaleString('en')} nodes, all in turn`,
      ours: () => {
        const [from, to] = next()
        return workspace.connectNodes(from, to) && workspace.disconnectNodes(from, to)
      },
      peer: () => byHand(...nextByHand()),
      peerName: 'a Map of Sets and the time of each change',
      bar: 0.5,
      from: 'the least that it takes',
    })
  }
  await bench.growth({
    ...local,
    name: 'remove a connected node and put it back',
    setup: (size) => {
      const workspace = ring(size)
      let at = 0
      return () => {
        at = (at + 7919) % size
        const [before, id, after] = [-1, 0, 1].map((step) => `node${(at + step + size) % size}`)
        if (!before || !id || !after) throw new Error('three nodes')
        workspace.removeNode(id)
        workspace.addNode(new Node({ name: id, id }))
        workspace.connectNodes(before, id)
        workspace.connectNodes(id, after)
      }
    },
  })
}

/**
 * Connects and disconnects two nodes of the same ring without a workspace, which keeps the time of a change too.
 * @param {number} size
 */
function ringByHand(size) {
  const ids = Array.from({ length: size }, (_, index) => `node${index}`)
  const neighbours = new Map(
    ids.map((id, index) => [id, new Set([ids[(index + size - 1) % size] ?? id, ids[(index + 1) % size] ?? id])]),
  )
  let changed = 0
  return (/** @type {string} */ from, /** @type {string} */ to) => {
    neighbours.get(from)?.add(to)
    neighbours.get(to)?.add(from)
    changed = Date.now()
    neighbours.get(from)?.delete(to)
    neighbours.get(to)?.delete(from)
    changed = Date.now()
    return changed
  }
}

/** @param {Bench} bench */
async function context(bench) {
  const root = await mkdtemp(join(tmpdir(), 'minions-bench-'))
  try {
    await initWorkspace(root)
    const files = BOOTSTRAP_PROMPT_FILES.map((name) => join(root, 'prompt', name))
    const { below, text } = words(9)
    for (const file of files) {
      let content = ''
      while (content.length < 50_000) content += `${text(3 + below(12))}\n`
      await writeFile(file, content)
    }
    const builder = new ContextBuilder()
    const workspace = new Workspace({ name: 'bench' })
    await bench.compare({
      name: 'build a context of 200 KB of prompt files',
      ours: () => builder.build(workspace, root),
      peer: () => Promise.all(files.map((file) => readFile(file, 'utf8'))),
      peerName: 'reading the prompt files',
      bar: 0.5,
      from: 'every file has to be read',
    })
  } finally {
    await rm(root, { recursive: true })
  }
}
