import type { LanguageModelV4 } from '@ai-sdk/provider'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { VirtualClock } from '@minions/skills-runtime/testing'
import { expect, onTestFinished, test } from 'vitest'
import { type Limits, models, runMatrix } from '../src/index.js'
import { question } from './support/app.js'

const MINUTE = 60_000

/** An app on a clock of its own, with a model in memory that notes when it was called. */
async function limitedApp(limits: Limits, tokens = 15) {
  const clock = new VirtualClock()
  const calls: number[] = []
  const model = {
    specificationVersion: 'v4',
    provider: 'memory',
    modelId: 'echo',
    supportedUrls: {},
    async doGenerate() {
      calls.push(clock.now)
      return {
        content: [{ type: 'text', text: 'Hello Ada' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: tokens - 5, noCache: tokens - 5, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 5, text: 5, reasoning: 0 },
        },
        warnings: [],
      }
    },
    doStream: () => Promise.reject(new Error('It does not stream.')),
  } satisfies LanguageModelV4
  const app = await createMinions({
    storage: 'memory:',
    plugins: [models({ environment: {}, default: model, limits, timers: clock.timers }), prompts()],
  })
  onTestFinished(() => app.close())
  return { app, clock, calls }
}

/** The most calls that any minute has seen. */
function busiestMinute(calls: readonly number[]): number {
  return Math.max(...calls.map((start) => calls.filter((at) => at >= start && at < start + MINUTE).length))
}

test('no minute sees more requests than a model may be asked, and none waits longer than it must', async () => {
  const { app, clock, calls } = await limitedApp({ requestsPerMinute: 5 })
  const asking = Promise.all(Array.from({ length: 12 }, () => app.models.ask(question())))
  expect(await clock.until(asking)).toHaveLength(12)
  expect(busiestMinute(calls)).toBe(5)
  const [first = 0] = calls
  expect(calls.map((at) => Math.floor((at - first) / MINUTE))).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2])
})

test('requests that come at other times count from when they were made', async () => {
  const { app, clock, calls } = await limitedApp({ requestsPerMinute: 2 })
  await app.models.ask(question())
  await clock.advance(50_000)
  await app.models.ask(question())
  await clock.until(app.models.ask(question()))
  await clock.until(app.models.ask(question()))
  const [first = 0] = calls
  expect(calls.map((at) => at - first)).toEqual([0, 50_000, 60_000, 110_000])
})

test('tokens are counted as the provider counts them, not as they were estimated', async () => {
  const { app, clock, calls } = await limitedApp({ tokensPerMinute: 100 }, 40)
  for (let asked = 0; asked < 5; asked++) await clock.until(app.models.ask({ ...question(), maxTokens: 10 }))
  // By the estimates all five would fit into the first minute. After three answers of 40 tokens it is used up.
  expect(calls.map((at) => at - (calls[0] ?? 0))).toEqual([0, 0, 0, MINUTE, MINUTE])
})

test('a request larger than a minute allows is made alone', async () => {
  const { app, clock, calls } = await limitedApp({ tokensPerMinute: 10 }, 500)
  await clock.until(Promise.all([app.models.ask(question()), app.models.ask(question())]))
  expect(busiestMinute(calls)).toBe(1)
})

test('who stops waiting for the limit is not asked for', async () => {
  const { app, clock, calls } = await limitedApp({ requestsPerMinute: 1 })
  await app.models.ask(question())
  const abort = new AbortController()
  const waiting = app.models.ask({ ...question(), signal: abort.signal })
  abort.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
  await clock.until(app.models.ask(question()))
  expect(calls).toHaveLength(2)
})

test('a matrix keeps to the limits of its models', async () => {
  const { app, clock, calls } = await limitedApp({ requestsPerMinute: 4 })
  const { id } = await app.prompts.create({ title: 'Greeting', content: 'Greet {{name}}.' })
  await app.prompts.tests.create(id, { inputVariables: { name: 'Ada' }, assertions: { contains: ['Ada'] } })
  let isOver = false
  const running = runMatrix(app, { prompts: [id], models: ['default'], repeats: 10, concurrency: 10 }).finally(() => {
    isOver = true
  })
  // Some of the work is done by other threads, so time passes in small steps until all of it is.
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    await clock.advance(1000)
  }
  const report = await running
  expect(report.calls).toBe(10)
  expect(busiestMinute(calls)).toBe(4)
})
