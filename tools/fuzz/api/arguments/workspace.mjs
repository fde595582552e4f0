// @ts-check
import { mkdirSync } from 'node:fs'
import { initWorkspace, Node, Rule, Workspace } from '@minions/workspace'

/** @import { Arguments } from '../targets.mjs' */
/** @import { World } from '../world.mjs' */

const node = () => ({ id: 'n1', name: 'N', type: 'task', properties: { a: 1 }, connections: ['n2'], state: { b: 1 } })
const rule = () => ({
  id: 'r1',
  name: 'R',
  description: 'd',
  condition: { state_equals: { a: 1 } },
  action: { type: 'x' },
  priority: 2,
  enabled: true,
})
const record = () => ({ name: 'W', description: 'd', state: { a: 1 }, nodes: {}, rules: {}, root_path: null })
const workspaces = () => ({ w1: new Workspace({ ...record(), id: 'w1' }) })
const saved = async (/** @type {World} */ world) => [(await world.workspace()).id]
const loaded = async (/** @type {World} */ world) => [await world.workspace()]
const model = () => ({ text: 'Hello' })
const folder = async (/** @type {World} */ world) => {
  const root = world.path()
  mkdirSync(root, { recursive: true })
  await initWorkspace(root)
  return root
}
const inFolder = async (/** @type {World} */ world) => [await folder(world)]
const clock = () => new Date(0)

/** Workspaces, their folders and agents. @type {Record<string, Arguments>} */
export const workspaceArguments = {
  'app.workspace.find': saved,
  'app.workspace.resolve': saved,
  'app.workspace.ensure': async (world) => [(await world.workspace()).id, { createMissing: true, initFiles: false }],
  'app.workspace.rootOf': loaded,
  'app.workspace.initFiles': async (world) => [await world.workspace(), { overwrite: false, clock }],
  'app.workspace.buildContext': async (world) => [await world.workspace(), { now: 0 }],
  'app.workspace.sessions': loaded,
  'app.workspace.dataFiles': loaded,
  'app.workspace.createAgent': () => ['scout', { model, historyLimit: 5, clock }],
  'app.workspace.createWorkspace': () => ['W', 'd'],
  'app.workspace.saveWorkspaces': () => [workspaces()],
  'app.workspace.update': () => [async () => 1],
  'app.workspace.add': (world) => [{ name: world.name('W'), description: 'd', sample: false }],
  'app.workspace.change': async (world) => [(await world.workspace()).id, { name: world.name('W'), description: 'e' }],
  'app.workspace.remove': saved,
  'app.workspace.setState': async (world) => [(await world.workspace()).id, 'a', 1],
  'app.workspace.addRule': async (world) => [(await world.workspace()).id, rule()],
  'app.workspace.removeRule': async (world) => {
    const { id } = await world.workspace()
    return [id, (await world.app.workspace.addRule(id, /** @type {any} */ (rule()))).id]
  },
  'app.workspace.insights.add': () => [{ content: 'c', confidence: 0.5, source: 's', tags: ['a'] }, { by: 'ada' }],
  'app.workspace.insights.search': () => ['c', { limit: 5 }],
  'app.workspace.insights.latest': () => [5],
  'app.workspace.context.build': async (world) => [await world.workspace(), await folder(world), { now: 0 }],
  'new workspace.Node': () => [node()],
  'workspace.Node.fromDict': () => [node()],
  'new workspace.Rule': () => [rule()],
  'workspace.Rule.fromDict': () => [rule()],
  'new workspace.Workspace': () => [record(), { clock }],
  'workspace.Workspace.fromDict': () => [record(), { clock }],
  'workspace.Workspace#addNode': () => [new Node(/** @type {any} */ (node()))],
  'workspace.Workspace#addRule': () => [new Rule(/** @type {any} */ (rule()))],
  'workspace.Workspace#connectNodes': () => ['n1', 'n2'],
  'workspace.Workspace#disconnectNodes': () => ['n1', 'n2'],
  'workspace.Workspace#inheritRulesFrom': () => [new Workspace(record())],
  'workspace.Workspace#runActions': () => [{ x: () => undefined }, { dryRun: true, maxActions: 5 }],
  'new workspace.Agent': () => ['scout', { model, historyLimit: 5, clock }],
  'workspace.Agent#setContext': async (world) => [
    await world.workspace(),
    { rootPath: await folder(world), sessionId: 's1' },
  ],
  'workspace.Agent#run': () => ['Hello', { signal: AbortSignal.timeout(60_000) }],
  'workspace.Agent#stream': () => ['Hello', { signal: AbortSignal.timeout(60_000) }],
  'workspace.createAgent': () => ['scout', { model, historyLimit: 5, clock }],
  'workspace.openAiModel': () => [{ baseUrl: 'http://127.0.0.1:1', model: 'm', apiKey: 'k', stream: true }],
  'new workspace.ContextBuilder': () => [{ insights: { latest: async () => [] } }],
  'workspace.dataFiles': async (world) => [{ name: 'W', root_path: await folder(world) }],
  'workspace.initWorkspace': (world) => [world.path(), { overwrite: false, clock }],
  'workspace.WorkspaceLayout.fromRoot': inFolder,
  'workspace.readPromptFiles': inFolder,
  'workspace.readMemoryMd': inFolder,
  'workspace.readMemory': inFolder,
  'workspace.writeMemory': async (world) => [await folder(world), '# Memory'],
  'workspace.upsertMemorySection': async (world) => [await folder(world), 'Heading', ['a']],
  'workspace.appendHistory': async (world) => [await folder(world), 'text', { maxBytes: 10_000, clock }],
  'workspace.listSkills': inFolder,
  'workspace.readSkill': async (world) => {
    const root = await folder(world)
    return [root, 'none']
  },
  'workspace.ensureDefaultSetup': (world) => [world.path(), { clock, readOnly: false, onProblem: () => undefined }],
  'workspace.ensureWorkspace': async (world) => [
    world.app.workspace,
    (await world.workspace()).id,
    { createMissing: true },
  ],
  'workspace.findWorkspace': () => [workspaces(), 'w1'],
  'workspace.resolveWorkspace': () => [workspaces(), 'w1'],
  'new workspace.WorkspaceManager': (world) => [world.path(), { clock, readOnly: false, onProblem: () => undefined }],
  'new workspace.SessionStore': (world) => [world.path(), { clock }],
  'workspace.SessionStore#create': () => ['s1'],
  'workspace.SessionStore#append': () => ['s2', { role: 'user', content: 'Hello' }],
  'workspace.SessionStore#read': () => ['s2'],
  'workspace.Workspace#removeNode': () => ['n1'],
  'workspace.Workspace#removeRule': () => ['r1'],
  'dataFiles()#read': () => ['a.txt'],
  'dataFiles()#readBytes': () => ['a.txt'],
  'dataFiles()#write': () => ['a.txt', 'text'],
  'dataFiles()#list': () => [''],
  'dataFiles()#delete': () => ['a.txt'],
  'workspace.workspace': (world) => [{ configDir: world.path(), store: 'storage' }],
}
