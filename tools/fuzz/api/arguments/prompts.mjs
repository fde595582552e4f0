// @ts-check

import { messagesText, PromptDiff, parseTemplate } from '@minions/prompts'
import { Type } from 'typebox'

/** @import { Arguments } from '../targets.mjs' */
/** @import { World } from '../world.mjs' */

const by = { by: 'ada' }
const input = (/** @type {World} */ world) => ({
  title: world.name('Greeting'),
  name: world.name('greeting'),
  content: 'Hello {{name}}',
  description: 'Greets.',
  tags: ['a'],
})
const version = () => ({ title: 'B', content: 'Hi {{name}}', description: 'B', tags: ['b'], changelog: 'Shorter' })
const prompt = async (/** @type {World} */ world) => [await world.promptId()]
const twice = async (/** @type {World} */ world) => {
  const id = await world.promptId()
  await world.app.prompts.addVersion(id, version())
  return { id, one: { prompt: id, version: 1 }, zero: { prompt: id, version: 0 } }
}
const test = () => ({
  title: 'Politeness',
  inputVariables: { name: 'Ada' },
  expectedCriteria: 'Polite',
  scoringDimensions: ['tone'],
  assertions: { contains: ['Ada'] },
  golden: false,
})
const evaluation = () => ({
  scores: { tone: 90 },
  passed: true,
  output: 'Hello',
  model: 'm',
  tokens: 5,
  cost: 0.1,
  latency: 5,
  metadata: { a: 1 },
})
const tested = async (/** @type {World} */ world) => {
  const id = await world.promptId()
  return { id, testId: (await world.app.prompts.tests.create(id, test())).id }
}
const label = async (/** @type {World} */ world) => {
  const { id } = await twice(world)
  await world.app.prompts.labels.set(id, 'beta', 1)
  return id
}
const minion = (/** @type {World} */ world) => world.prompt()
const shares = () => [
  { version: 0, weight: 50 },
  { version: 1, weight: 50 },
]
const diagram = () => ({
  nodes: [{ id: 'a', label: 'A', group: 'g', state: 's' }],
  edges: [{ from: 'a', to: 'a', label: 'e' }],
  direction: 'LR',
})

const messages = () => [{ role: 'user', content: 'Hello {{name}}' }]
const cache = () => ({ get: async () => undefined, set: async () => undefined })
const evaluated = () => ({ output: 'a', test: { fields: {} } })
const gate = () => ({
  baseline: 0,
  candidate: 'latest',
  answer: () => 'Hello',
  evaluate: () => evaluation(),
  repeat: 1,
  concurrency: 1,
  margin: 5,
  seed: 1,
  signal: AbortSignal.timeout(60_000),
  onProgress: () => undefined,
})
const report = async (/** @type {World} */ world) => {
  const id = await world.promptId()
  await world.app.prompts.tests.create(id, { inputVariables: { name: 'Ada' }, assertions: { contains: ['Ada'] } })
  return world.app.prompts.gate(id, { baseline: 0 })
}
const file = async (/** @type {World} */ world) => {
  const { id } = await world.app.prompts.create(input(world))
  const [first] = await world.app.exporters.pull([])
  return { path: String(first?.path ?? id), text: String(first?.text ?? '') }
}

/** Prompts and exporters. @type {Record<string, Arguments>} */
export const promptsArguments = {
  'app.prompts.create': (world) => [input(world), { ...by }],
  'app.prompts.find': prompt,
  'app.prompts.list': () => [{ tags: ['a'], text: 'greet', limit: 5, includeDeleted: true }],
  'app.prompts.nameOf': prompt,
  'app.prompts.rename': async (world) => [await world.promptId(), world.name('renamed'), { ...by }],
  'app.prompts.get': async (world) => [(await twice(world)).one],
  'app.prompts.resolve': async (world) => [await world.promptId(), 0],
  'app.prompts.addVersion': async (world) => [await world.promptId(), version(), { ...by }],
  'app.prompts.proposeVersion': async (world) => [await world.promptId(), version(), { ...by }],
  'app.prompts.update': async (world) => [
    await world.promptId(),
    { title: 'B', description: 'b', tags: ['b'] },
    { ...by },
  ],
  'app.prompts.render': async (world) => [
    (await twice(world)).one,
    { name: 'Ada', list: [1] },
    { strict: true, requiredVariables: ['name'] },
  ],
  'app.prompts.history': prompt,
  'app.prompts.latest': prompt,
  'app.prompts.versionAt': async (world) => [await world.promptId(), '2099-01-01T00:00:00Z'],
  'app.prompts.branches': prompt,
  'app.prompts.publish': async (world) => [(await twice(world)).id, 1, { ...by }],
  'app.prompts.rollback': async (world) => [(await twice(world)).id, 0, { ...by }],
  'app.prompts.published': prompt,
  'app.prompts.publishedVersions': async (world) => [[await minion(world)]],
  'app.prompts.diff': async (world) => {
    const { one, zero } = await twice(world)
    return [one, zero]
  },
  'app.prompts.changes': async (world) => [(await twice(world)).id, { from: 0, to: 1 }],
  'app.prompts.lint': prompt,
  'app.prompts.compare': async (world) => {
    const { id, one, zero } = await twice(world)
    await world.app.prompts.tests.create(id, test())
    return [one, zero, { evaluate: () => evaluation(), seed: 1 }]
  },
  'app.prompts.reindex': async (world) => [[await world.promptId()]],
  'app.prompts.bindAgent': async (world) => [
    (await world.app.create('agent', { title: 'A' })).id,
    await world.promptId(),
    { ...by, variables: { name: 'Ada' } },
  ],
  'app.prompts.unbindAgent': async (world) => [(await world.app.create('agent', { title: 'A' })).id, { ...by }],
  'app.prompts.systemPrompt': async (world) => [(await world.app.create('agent', { title: 'A' })).id],
  'app.prompts.variables.define': async (world) => [
    await world.promptId(),
    { name: 'name', variableType: 'string', required: true, defaultValue: 'x', description: 'd', example: 'e' },
    { ...by },
  ],
  'app.prompts.variables.remove': async (world) => {
    const id = await world.promptId()
    await world.app.prompts.variables.define(id, { name: 'name' })
    return [id, 'name', { ...by }]
  },
  'app.prompts.variables.list': prompt,
  'app.prompts.tests.create': async (world) => [await world.promptId(), test(), { ...by }],
  'app.prompts.tests.list': prompt,
  'app.prompts.tests.run': async (world) => {
    const { id, testId } = await tested(world)
    return [id, testId, evaluation(), { ...by }]
  },
  'app.prompts.tests.runAll': async (world) => {
    const { id, testId } = await tested(world)
    return [id, () => evaluation(), { ...by, tests: [testId], concurrency: 1, onProgress: () => undefined }]
  },
  'app.prompts.tests.results': prompt,
  'app.prompts.labels.set': async (world) => [(await twice(world)).id, 'beta', 1, { ...by, reason: 'r', ifMove: 0 }],
  'app.prompts.labels.remove': async (world) => [await label(world), 'beta', { ...by, reason: 'r' }],
  'app.prompts.labels.get': async (world) => [await label(world), 'beta'],
  'app.prompts.labels.list': async (world) => [await label(world)],
  'app.prompts.labels.history': async (world) => [await label(world), 'beta'],
  'app.prompts.labels.resolve': async (world) => [await label(world), 'beta', 'key'],
  'app.prompts.labels.split': async (world) => [
    await label(world),
    'beta',
    shares(),
    { ...by, salt: 's', reason: 'r' },
  ],
  'app.prompts.labels.stopSplit': async (world) => {
    const id = await label(world)
    await world.app.prompts.labels.split(id, 'beta', shares())
    return [id, 'beta', 1, { ...by }]
  },
  'app.prompts.labels.record': async (world) => {
    const id = await label(world)
    await world.app.prompts.labels.split(id, 'beta', shares())
    return [id, 'beta', 'key', { ...evaluation(), renderedPrompt: 'Hello' }, { ...by }]
  },
  'app.prompts.labels.compare': async (world) => {
    const id = await label(world)
    await world.app.prompts.labels.split(id, 'beta', shares())
    return [id, 'beta', { seed: 1 }]
  },
  'app.prompts.tests.import': async (world) => [
    await world.promptId(),
    'csv',
    () => 'name,test.contains\nAda,Ada',
    { ...by },
  ],
  'app.prompts.tests.fromExecutions': async (world) => [
    await world.promptId(),
    { skill_name: 'echo', status: 'completed', limit: 5 },
    { ...by },
  ],
  'app.prompts.renderMessages': async (world) => [await world.promptId(), { name: 'Ada' }, { strict: true }],
  'app.prompts.ready': prompt,
  'app.prompts.usedBy': prompt,
  'app.prompts.on': ({ app }) => [app],
  'app.prompts.gate': async (world) => [await world.promptId(), gate()],
  'app.exporters.import': () => ['openai', '{"messages":[{"role":"user","content":"Hello {{name}}"}]}', { ...by }],
  'app.exporters.pull': async (world) => [[await file(world)]],
  'app.exporters.push': async (world) => [[await file(world)], { ...by, dryRun: true }],
  'prompts.PromptChain#getLatestVersion': prompt,
  'prompts.PromptChain#getLeaves': prompt,
  'prompts.PromptChain#getRoot': prompt,
  'prompts.PromptScorer#results': prompt,
  'prompts.bodyOf': () => [{ content: 'Hello {{name}}' }],
  'prompts.messagesOf': async (world) => [await minion(world)],
  'prompts.messagesText': () => [messages()],
  'prompts.parseMessages': () => [messagesText(/** @type {any} */ (messages()))],
  'prompts.printTemplate': () => [parseTemplate('Hello {{name}}')],
  'prompts.isLabel': () => ['beta'],
  'prompts.isPlaceholder': () => [messages()[0]],
  'prompts.isPromptName': () => ['greeting'],
  'prompts.isVersionNumber': () => ['v1'],
  'prompts.isScore': () => [90],
  'prompts.isTruthy': () => [[]],
  'prompts.isPromptBookkeeping': () => ['prompt_labels'],
  'prompts.cachedAnswer': () => [() => 'Hello', cache(), 'salt'],
  'prompts.cachedEvaluate': () => [() => evaluation(), cache(), 'salt'],
  'prompts.judgeDimensions': () => [[{ a: { tone: 1 }, b: { tone: 2 } }], { margin: 5, seed: 1 }],
  'prompts.readCsv': () => ['a,b\n1,2'],
  'prompts.readJsonl': () => ['{"a":1}\n'],
  'prompts/reports.gateAnnotations': async (world) => [[await report(world)]],
  'prompts/reports.gateHtml': async (world) => [[await report(world)]],
  'prompts/reports.gateJunit': async (world) => [[await report(world)]],
  'prompts/reports.gateMarkdown': async (world) => [[await report(world)]],
  'evaluators.contains()': () => ['a', evaluated()],
  'evaluators.regex()': () => ['a', evaluated()],
  'evaluators.jsonSchema()': () => ['a', { output: '{}' }],
  'evaluators.equals()': () => ['a', evaluated()],
  'evaluators.length()': () => ['a', evaluated()],
  'app.prompts.labels.protect': () => ['beta', { ...by }],
  'app.prompts.labels.unprotect': () => ['beta'],
  'new prompts.CompiledTemplate': () => ['Hello {{name}}'],
  'prompts.CompiledTemplate#render': () => [{ name: 'Ada' }, { strict: true, requiredVariables: ['name'] }],
  'prompts.compileTemplate': () => ['Hello {{name}}'],
  'prompts.parseTemplate': () => ['Hello {{name}}'],
  'prompts.PromptRenderer#render': () => [
    'Hello {{name}} {{#each l}}{{this}}{{/each}}',
    { name: 'Ada', l: ['a'] },
    { strict: true },
  ],
  'prompts.PromptRenderer#extractVariables': () => ['Hello {{name}}'],
  'prompts.PromptRenderer#compile': () => ['Hello {{name}}'],
  'new prompts.PromptChain': ({ app }) => [app],
  'prompts.PromptChain#getVersionChain': async (world) => [
    await world.promptId(),
    { includeDeleted: true, asStored: true },
  ],
  'prompts.PromptChain#getVersionAtDate': async (world) => [await world.promptId(), '2099-01-01T00:00:00Z'],
  'prompts.PromptDiff#diff': () => [
    { title: 'A', fields: { content: 'a', tags: ['a'] } },
    { title: 'B', fields: { content: 'b' } },
  ],
  'prompts.PromptDiff#words': () => [
    new PromptDiff().diff({ fields: { content: 'a b' } }, { fields: { content: 'a c' } }),
  ],
  'prompts.PromptDiff#format': () => [
    new PromptDiff().diff({ fields: { content: 'a' } }, { fields: { content: 'c' } }),
    true,
  ],
  'new prompts.PromptScorer': ({ app }) => [app],
  'prompts.PromptScorer#score': async (world) => {
    const { id, testId } = await tested(world)
    return [id, testId, evaluation(), { ...by }]
  },
  'new prompts.PromptsApi': ({ app }) => [app, {}],
  'prompts.asLabels': async (world) => [world.app.prompts, await world.app.prompts.labels.list(await label(world))],
  'prompts.withPublished': async (world) => [world.app.prompts, await minion(world)],
  'prompts.assertScores': () => [{ tone: 90 }, ['tone']],
  'prompts.hasAssertions': () => [{ contains: ['a'] }],
  'prompts.assertionEvaluator': () => [{ contains: ['a'] }],
  'prompts.assertionJudge': () => [{ contains: ['a'] }],
  'prompts.checkEvaluation': () => [evaluation(), ['tone']],
  'prompts.compareGroups': () => [
    [{ tone: 1 }, { tone: 3 }],
    [{ tone: 2 }, { tone: 3 }],
  ],
  'prompts.compareScores': () => [[{ a: { tone: 1 }, b: { tone: 2 } }], { seed: 1 }],
  'prompts.diffLines': () => ['a\nb', 'a\nc'],
  'prompts.evaluators.contains': () => [['a'], { dimension: 'd', caseSensitive: false }],
  'prompts.evaluators.notContains': () => [['a'], { dimension: 'd', caseSensitive: false }],
  'prompts.evaluators.regex': () => ['^a', { dimension: 'd' }],
  'prompts.evaluators.jsonSchema': () => [Type.Object({ a: Type.String() }), { dimension: 'd' }],
  'prompts.evaluators.equals': () => [{ a: 1 }, { dimension: 'd' }],
  'prompts.evaluators.length': () => [{ min: 1, max: 5, unit: 'words', dimension: 'd' }],
  'prompts.evaluators.custom': () => [() => true, { dimension: 'd' }],
  'prompts.evaluators.all': () => [() => evaluation()],
  'prompts.toCoreTemplate': async (world) => [await minion(world)],
  'prompts.fromCoreTemplate': async (world) => [
    { ...(await minion(world)), minionTypeId: 'builtin-prompt-template', fields: { template: 'Hello {{name}}' } },
  ],
  'prompts.summaryOf': () => [[{ fields: { passed: true } }]],
  'prompts.summaryLine': () => [{ passed: 1, failed: 0 }],
  'prompts.versionNumber': async (world) => [await minion(world)],
  'new prompts.RendererError': () => ['VARIABLES_MISSING', 'name is missing', ['name'], { details: {} }],
  'new prompts.TemplateError': () => ['is not closed', 'Hello {{', 6],
  'app.exporters.export': async (world) => ['raw', await world.promptId(), { variables: { name: 'Ada' } }],
  'app.exporters.on': ({ app }) => [app, app.prompts],
  'app.exporters.diagram': async (world) => [{ ids: [await world.taskId()], relationTypes: ['follows'] }],
  'app.exporters.toMermaid': () => [
    { query: { type: 'task', where: {} } },
    { direction: 'LR', styles: { s: { fill: '#ffffff' } } },
  ],
  'app.exporters.toDot': async (world) => [{ chain: await world.promptId() }, { direction: 'LR' }],
  'app.exporters.toRaw': async (world) => [await world.promptId(), { name: 'Ada' }, { strict: true }],
  'app.exporters.toLangChain': async (world) => [await world.promptId(), {}],
  'app.exporters.toLlamaIndex': prompt,
  'app.exporters.toJSON': prompt,
  'app.exporters.importJSON': async (world) => [await world.app.exporters.toJSON(await world.promptId())],
  'exporters.chainDiagram': async (world) => [[await minion(world)], []],
  'exporters.minionsDiagram': async (world) => [[await minion(world)], [], () => 'name'],
  'exporters.diagramOf': async (world) => [world.app, { ids: [await world.taskId()] }],
  'exporters.toDot': () => [diagram(), { direction: 'LR', styles: { s: { fill: '#ffffff' } } }],
  'exporters.toMermaid': () => [diagram(), { direction: 'LR', styles: { s: { fill: '#ffffff' } } }],
  'exporters.exportFormats.key': () => [{ format: 'x', export: () => 'a' }],
}
