import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ContextBuilder, initWorkspace, Node, NodeType, Rule, RulePriority, Workspace } from '../src/index.js'
import { temporaryDirectory } from './temporary.js'

const now = '2026-01-31T09:30:00.000Z'

async function setUp() {
  const root = await temporaryDirectory()
  await initWorkspace(root)
  await rm(join(root, 'prompt/USER.md'))
  for (const [name, text] of [
    ['AGENTS.md', 'be brief\n\n'],
    ['TOOLS.md', 'no tools'],
    ['IDENTITY.md', 'a lab\n'],
  ] as const) {
    await writeFile(join(root, 'prompt', name), text)
  }
  await writeFile(join(root, 'memory/MEMORY.md'), '# Memory\n- the sky is blue\n')
  const ws = new Workspace({ id: 'w1', name: 'lab', description: 'tries\nthings', state: { zeta: 1, alpha: 2 } })
  const parent = new Workspace({ name: 'parent' })
  parent.addRule(new Rule({ name: 'inherited', priority: RulePriority.CRITICAL }))
  ws.inheritRulesFrom(parent)
  ws.addRule(new Rule({ name: 'low', priority: RulePriority.LOW, description: 'says\n## little' }))
  ws.addRule(new Rule({ name: 'high', priority: RulePriority.HIGH }))
  ws.addRule(new Rule({ name: 'off', enabled: false }))
  const [agent, task] = [new Node({ name: 'a', type: NodeType.AGENT }), new Node({ name: 't', type: NodeType.TASK })]
  ws.addNode(task)
  ws.addNode(agent)
  ws.connectNodes(agent.id, task.id)
  return { root, ws }
}

it('says everything in a fixed order', async () => {
  const { root, ws } = await setUp()
  const insights = () => ['water\nboils']
  expect(await new ContextBuilder({ insights }).build(ws, root, { now })).toBe(`# Workspace lab

## Identity

- name: lab
- id: w1
- description: tries things
- root: ${root}
- time: ${now}

## Boundary

Files may be read and written below ${root}/data only. Nothing outside it is yours.

## Prompt files

### AGENTS.md

be brief

### TOOLS.md

no tools

### IDENTITY.md

a lab

## Memory

# Memory
- the sky is blue

### Insights

- water boils

## Graph

### Nodes

- agent: 1
- task: 1

Connections: 1

### Rules

- inherited (priority 4)
- high (priority 3)
- low (priority 1): says ## little

### State keys

- alpha
- zeta

## Skills

- core: How to work in this workspace when no other skill fits. (skills/core/SKILL.md)

Read the file of a skill, below the root, before you use it.
`)
})

it('gives the same bytes for the same input and clock, and writes nothing', async () => {
  const { root, ws } = await setUp()
  const before = await readdir(root, { recursive: true })
  const builder = new ContextBuilder()
  const first = await builder.build(ws, root, { now: new Date(now) })
  expect(await builder.build(ws, root, { now: () => now })).toBe(first)
  expect(await builder.build(Workspace.fromDict(ws.toDict()), root, { now: Date.parse(now) })).toBe(first)
  expect(await builder.build(ws, root)).not.toBe(first)
  expect(await readdir(root, { recursive: true })).toEqual(before)
})

it('works on an empty folder and an empty workspace', async () => {
  const root = await temporaryDirectory()
  const text = await new ContextBuilder().build(new Workspace({ name: 'empty' }), root, { now })
  expect(text.match(/None\./g)).toHaveLength(6)
  expect(await readdir(root)).toEqual([])
  await mkdir(join(root, 'prompt'))
})

it('lists a skill in about a hundred tokens at most, in any script', async () => {
  const { root, ws } = await setUp()
  const descriptions = {
    words: 'Handles files of many kinds. '.repeat(30),
    chinese: '技能说明处理文件'.repeat(100),
    emoji: '😀🎉'.repeat(300),
    short: 'Counts words.',
  }
  for (const [name, description] of Object.entries(descriptions)) {
    await mkdir(join(root, 'skills', name), { recursive: true })
    await writeFile(join(root, 'skills', name, 'SKILL.md'), `---\ndescription: ${description}\n---\n`)
  }
  const text = await new ContextBuilder().build(ws, root, { now })
  const line = (name: string) => text.split('\n').find((each) => each.startsWith(`- ${name}: `)) ?? ''
  expect(line('short')).toBe('- short: Counts words. (skills/short/SKILL.md)')
  expect(line('words')).toMatch(/\w … \(skills\/words\/SKILL\.md\)$/)
  expect(line('words').length).toBeLessThan(550)
  for (const name of ['chinese', 'emoji']) {
    expect(line(name).isWellFormed()).toBe(true)
    expect(line(name).length).toBeGreaterThan(90)
    expect(line(name).length).toBeLessThan(150)
  }
})
