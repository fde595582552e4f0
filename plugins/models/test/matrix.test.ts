import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { expect, onTestFinished, test } from 'vitest'
import { answerWith, comparePair, judge, type ModelsOptions, models, runMatrix } from '../src/index.js'
import { fakeServer, modelOn, quickTimers } from './support/app.js'

async function promptsApp(options: ModelsOptions) {
  const app = await createMinions({
    storage: 'memory:',
    plugins: [models({ environment: {}, random: () => 0, timers: quickTimers, ...options }), prompts()],
  })
  onTestFinished(() => app.close())
  return app
}

type App = Awaited<ReturnType<typeof promptsApp>>

async function greeting(app: App, title: string) {
  const prompt = await app.prompts.create({ title, content: `${title}: greet {{name}}` })
  for (const name of ['Ada', 'Linus']) {
    await app.prompts.tests.create(prompt.id, { inputVariables: { name }, assertions: { contains: [name] } })
  }
  return prompt
}

const lastOf = (body: object) => (body as { messages: { content: string }[] }).messages.at(-1)?.content ?? ''

test('asks only the cells whose content changed', async () => {
  const server = await fakeServer(({ body }) => ({ text: `Answer to ${lastOf(body)} by ${String(body.model)}` }))
  const app = await promptsApp({
    roles: { small: modelOn(server, 'small'), large: modelOn(server, 'large') },
    prices: { 'fake/large': { input: 100, output: 200 } },
  })
  const [first, second] = [await greeting(app, 'One'), await greeting(app, 'Two')]
  const run = () => runMatrix(app, { prompts: [first.id, second.id], models: ['small', 'large'], repeats: 2 })
  const report = await run()
  expect(report.calls).toBe(16)
  expect(server.requests).toHaveLength(16)
  expect(report.summary).toHaveLength(4)
  expect(report.summary[1]).toMatchObject({
    prompt: first.id,
    role: 'large',
    model: 'fake/large',
    passed: 4,
    total: 4,
    tokens: 60,
    calls: 4,
  })
  expect(report.summary[1]?.cost).toBeCloseTo(0.008)

  expect(await run()).toMatchObject({ calls: 0, summary: [{ passed: 4, tokens: 60 }, {}, {}, {}] })
  const edited = await app.prompts.addVersion(second.id, { content: 'Two: welcome {{name}} warmly' })
  await app.prompts.publish(edited.id)
  const again = await run()
  expect(again.calls).toBe(8)
  expect(again.summary.map(({ calls }) => calls)).toEqual([0, 0, 4, 4])
  expect(server.requests).toHaveLength(24)
})

test('a judge scores answers by a rubric, and is asked once for each', async () => {
  let isClumsy = true
  const server = await fakeServer(({ body }) => {
    if (body.model !== 'judge') return { text: 'Hello Ada and Linus' }
    if (isClumsy) {
      isClumsy = false
      return { text: '{"scores":{"tone":700}}' }
    }
    return { text: '```json\n{"reason":"fine","scores":{"tone":80,"length":70}}\n```' }
  })
  const app = await promptsApp({ default: modelOn(server), roles: { judge: modelOn(server, 'judge') } })
  const prompt = await greeting(app, 'One')
  const evaluate = judge(app.models, { rubric: 'Be kind and short.', dimensions: ['tone', 'length'] })
  const results = await app.prompts.tests.runAll(prompt.id, evaluate, {
    answer: answerWith(app.models),
    concurrency: 1,
  })
  expect(results.map(({ fields }) => fields.scores)).toMatchObject([
    { tone: 80, length: 70 },
    { tone: 80, length: 70 },
  ])
  const asked = server.requests.length
  await app.prompts.tests.runAll(prompt.id, evaluate, { answer: answerWith(app.models) })
  expect(server.requests).toHaveLength(asked)

  const broken = await fakeServer([{ text: 'I would rather not.' }])
  const other = await promptsApp({ default: modelOn(broken) })
  const second = await greeting(other, 'Two')
  const failing = other.prompts.tests.runAll(second.id, judge(other.models, { rubric: 'r', dimensions: ['d'] }), {
    answer: () => 'x',
  })
  await expect(failing).rejects.toMatchObject({ code: 'JUDGE_INVALID' })
})

test.each([
  [
    'prefers the longer answer',
    (first: string, second: string) => (first.length > second.length ? 'first' : 'second'),
    'b',
    true,
  ],
  ['prefers whatever comes first', () => 'first', 'tie', false],
  ['sees no difference', () => 'tie', 'tie', true],
] as const)('a judge that %s', async (_, prefer, winner, consistent) => {
  const server = await fakeServer(({ body }) => {
    const material = /Material:\n(.*)/.exec(lastOf(body))?.[1] ?? '{}'
    const { first, second } = JSON.parse(material) as { first: string; second: string }
    return { text: JSON.stringify({ reason: 'r', better: prefer(first, second) }) }
  })
  const app = await promptsApp({ default: modelOn(server) })
  const verdict = await comparePair(app.models, { rubric: 'r', question: 'q', a: 'short', b: 'a longer one' })
  expect(verdict).toEqual({ winner, consistent })
})
