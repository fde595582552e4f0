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
    name: 'evaluate 1,000 rules on 10,000 nodes',
    ours: () => workspace.evaluateStateLogic(),
    peer: byHand,
    peerName: 'a loop by hand',
    note: 'the loop has its rules sorted already and finds every type among the first nodes',
    bar: 0.5,
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
  await bench.growth({
    name: 'connect and disconnect two nodes',
    bar: 2,
    setup: (size) => {
      const workspace = ring(size)
      return () => workspace.connectNodes('node5', 'node50') && workspace.disconnectNodes('node5', 'node50')
    },
  })
  await bench.growth({
    name: 'remove a connected node and put it back',
    bar: 2,
    setup: (size) => {
      const workspace = ring(size)
      return () => {
        workspace.removeNode('node5')
        workspace.addNode(new Node({ name: 'node5', id: 'node5' }))
        workspace.connectNodes('node4', 'node5')
        workspace.connectNodes('node5', 'node6')
      }
    },
  })
}

/** @param {Bench} bench */
async function context(bench) {
  const root = await mkdtemp(join(tmpdir(), 'minions-bench-'))
  try {
    await initWorkspace(root)
    const files = BOOTSTRAP_PROMPT_FILES.map((name) => join(root, 'prompt', name))
    for (const file of files) await writeFile(file, 'A line of a prompt, as long as most.\n'.repeat(1_384))
    const builder = new ContextBuilder()
    const workspace = new Workspace({ name: 'bench' })
    await bench.compare({
      name: 'build a context of 200 KB of prompt files',
      ours: () => builder.build(workspace, root),
      peer: () => Promise.all(files.map((file) => readFile(file, 'utf8'))),
      peerName: 'reading the prompt files',
      bar: 0.5,
    })
  } finally {
    await rm(root, { recursive: true })
  }
}
