// @ts-check
import { PassThrough } from 'node:stream'
import { defineSkill } from '@minions/skills-runtime'
import { memoryModel } from '../memory-model.mjs'

/** @import { Arguments } from '../targets.mjs' */
/** @import { World } from '../world.mjs' */

const signal = () => AbortSignal.timeout(60_000)
const messages = () => [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hello?' },
]
const tool = () => ({ name: 'open-door', description: 'Opens.', parameters: { type: 'object' } })
const settings = () => ({
  role: 'worker',
  maxTokens: 5,
  temperature: 0.5,
  schema: { type: 'object' },
  signal: signal(),
  onText: () => undefined,
})
const limits = () => ({
  concurrency: 1,
  requestsPerMinute: 60,
  tokensPerMinute: 60_000,
  answerBytes: 1000,
  timeoutMs: 1000,
  idleMs: 1000,
  retries: 0,
  maxRetryAfterMs: 5,
})
const sing = () =>
  defineSkill({ name: 'sing', version: '1.0.0', parameters_schema: {}, execute: () => ({ sung: true }) })
const definition = (/** @type {World} */ world) => ({
  name: world.name('agent'),
  version: '1.0.0',
  description: 'Sings.',
  model: 'worker',
  prompt: 'You sing.',
  skills: [sing(), 'echo'],
  maxSteps: 2,
  budget: { tokens: 1000, seconds: 5 },
  temperature: 0.5,
  maxTokens: 5,
})
const tested = async (/** @type {World} */ world) => {
  const id = await world.promptId()
  await world.app.prompts.tests.create(id, { inputVariables: { name: 'Ada' }, assertions: { contains: ['Ada'] } })
  return id
}
const place = () => ({ home: '/home/ada', project: '/home/ada/p', platform: 'linux', appData: undefined })
const install = () => ({
  agent: 'cursor',
  scope: 'user',
  name: 'minions',
  entry: { command: 'minions', args: ['mcp'], env: { A: 'b' } },
  place: place(),
})

/** Models, agents, and the plugins that connect to something outside. @type {Record<string, Arguments>} */
export const modelsArguments = {
  'models.models': (world) => [
    {
      default: memoryModel(),
      roles: { judge: memoryModel(), worker: 'openai-compatible:http://127.0.0.1:1/v1#m' },
      limits: limits(),
      prices: { 'memory/*': { input: 1, output: 2, cachedInput: 0.5 } },
      secrets: ['hidden'],
      cassette: { file: world.path(), mode: 'auto' },
      folder: world.folder,
      environment: {},
      random: () => 0.5,
    },
  ],
  'models.parsePrices': () => ['{"a":{"input":1,"output":2}}'],
  'models.answerWith': ({ app }) => [app.models, { role: 'worker', temperature: 0.5, maxTokens: 5, repeat: 1 }],
  'models.judge': ({ app }) => [app.models, { rubric: 'Polite.', dimensions: ['tone'], passAt: 50, role: 'judge' }],
  'models.comparePair': ({ app }) => [
    app.models,
    { rubric: 'Polite.', question: 'Hello?', a: 'Hi', b: 'Yes', role: 'judge', signal: signal() },
  ],
  'models.runMatrix': async (world) => [
    world.app,
    {
      prompts: [await tested(world)],
      models: ['worker'],
      repeats: 1,
      concurrency: 1,
      by: 'ada',
      temperature: 0.5,
      maxTokens: 5,
      signal: signal(),
      onProgress: () => undefined,
    },
  ],
  'app.models.ask': () => [{ messages: messages(), tools: [tool()], ...settings() }],
  'app.models.call': () => [
    {
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }],
      tools: [{ type: 'function', name: 'open-door', inputSchema: { type: 'object' } }],
      toolChoice: { type: 'auto' },
      stop: ['END'],
      idempotencyKey: 'k',
      ...settings(),
    },
  ],
  'app.models.modelFor': () => ['worker'],
  'app.models.has': () => ['worker'],
  'app.models.knowsPriceOf': () => ['memory/echo'],
  'app.models.answers.through': (world) => [
    { a: world.name() },
    async () => ({ model: 'memory/echo', text: 'Hello', tokens: 5, cost: 1 }),
  ],
  'models/agents.agent': (world) => [definition(world)],
  'models/agents.handOver': () => [{ name: 'hand-over', to: ['other'] }],
  'models/agents.askAll': () => [{ name: 'ask-all', agents: ['other'] }],
  'models/agents.agents': (world) => [{ agents: [definition(world)] }],
  'app.agents.add': (world) => [definition(world)],
  'app.agents.ask': (world) => {
    const [skill] = world.app.agents.add(/** @type {any} */ (definition(world)))
    return [skill?.name, { input: 'Hello?', messages: messages(), tools: [tool()] }, { signal: signal(), onText() {} }]
  },
  'mcp.mcp': () => [{ tools: ['prompts.*'], access: ['read'], servers: { other: { command: 'node', args: ['-v'] } } }],
  'mcp.serveStdio': ({ app }) => [
    app,
    {
      by: 'ada',
      tenant: 'acme',
      tools: ['prompts.*'],
      access: ['read'],
      input: new PassThrough(),
      output: new PassThrough(),
    },
  ],
  'mcp/install.changedLines': () => ['a\nb', 'a\nc'],
  'mcp/install.configurationFile': () => [install()],
  'mcp/install.planInstall': () => [install(), '{ "mcpServers": {} }'],
  'app.mcp.profileOf': () => [
    { tools: ['prompts.*'], access: ['read'] },
    { tools: ['*'], access: ['read'] },
  ],
}
