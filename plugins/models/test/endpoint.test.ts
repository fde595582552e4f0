import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createMinions } from '@minions/host'
import { serve } from '@minions/server'
import { server as serverPlugin } from '@minions/server/plugin'
import { skills } from '@minions/skills-runtime'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { generateText as generateTextV6 } from 'ai-v6'
import OpenAI from 'openai'
import { createOpenAICompatible as createV2 } from 'openai-compatible-v2'
import { expect, onTestFinished, test } from 'vitest'
import { agent, agents } from '../src/agents/index.js'
import { chatEndpoint } from '../src/endpoint/index.js'
import { streamResponse } from '../src/endpoint/stream-response.js'
import { models } from '../src/index.js'
import type { FakeModelServerOptions } from '../src/testing/index.js'
import { add } from './support/agents-app.js'
import { fakeServer, modelOn, quickTimers } from './support/app.js'

const helper = agent({ name: 'helper', prompt: 'You help.', skills: [add], description: 'Helps.' })

/** An app with an agent and a model, served, and the clients that talk to it. */
async function served(replies: FakeModelServerOptions['replies'], scopes: ('read' | 'write')[] = ['read', 'write']) {
  const provider = await fakeServer(replies)
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      models({ default: modelOn(provider), environment: {}, random: () => 0, timers: quickTimers }),
      skills(),
      agents({ agents: [helper] }),
      serverPlugin(),
      chatEndpoint(),
    ],
  })
  const running = await serve(app, { port: 0, withoutKey: false })
  const { key } = await app.server.keys.create({ owner: 'ada', scopes })
  onTestFinished(async () => {
    await running.stop()
    await app.close()
  })
  const baseURL = `${running.url}/v1`
  const openai = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })
  return { app, provider, openai, baseURL, key }
}

const calling = { toolCalls: [{ name: 'add', arguments: { a: 2, b: 3 } }] }
const say = (content: string) => ({ role: 'user' as const, content })

test('the OpenAI client finds agents and models, and talks to an agent', async () => {
  const { openai, app } = await served([calling, { text: 'It is 5.' }])
  const listed = await openai.models.list()
  expect(listed.data.map(({ id, owned_by }) => [id, owned_by])).toEqual([
    ['helper', 'agents'],
    ['default', 'models'],
  ])
  expect((await openai.models.retrieve('helper')).id).toBe('helper')
  const answer = await openai.chat.completions.create({ model: 'helper', messages: [say('2 + 3?')] })
  expect(answer.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { role: 'assistant', content: 'It is 5.' },
  })
  expect(answer.usage).toEqual({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 })
  expect((await app.skills.executions()).map(({ skill_name }) => skill_name).sort()).toEqual(['add', 'helper'])
})

test('the OpenAI client streams an agent', async () => {
  const text = 'Größe, one two three.'
  const { openai } = await served([calling, { text }])
  const stream = await openai.chat.completions.create({
    model: 'helper',
    messages: [say('2 + 3?')],
    stream: true,
    stream_options: { include_usage: true },
  })
  let said = ''
  let pieces = 0
  let finish: string | null | undefined
  let total: number | undefined
  for await (const part of stream) {
    said += part.choices[0]?.delta.content ?? ''
    if (part.choices[0]?.delta.content) pieces++
    finish = part.choices[0]?.finish_reason ?? finish
    total = part.usage?.total_tokens ?? total
  }
  expect({ said, finish, total }).toEqual({ said: text, finish: 'stop', total: 30 })
  expect(pieces).toBeGreaterThan(1)
})

test('the OpenAI client runs tools of its own with an agent and with a model', async () => {
  const { openai } = await served(({ body }) => {
    const last = (body.messages as readonly { role: string; content: string }[]).at(-1)
    return last?.role === 'tool'
      ? { text: `The door says ${last.content}.` }
      : { toolCalls: [{ id: 'd1', name: 'open_door', arguments: { n: 1 } }] }
  })
  const tools = [
    {
      type: 'function' as const,
      function: { name: 'open_door', parameters: { type: 'object', properties: { n: {} } } },
    },
  ]
  for (const model of ['helper', 'default']) {
    const first = await openai.chat.completions.create({ model, messages: [say('Open.')], tools })
    const message = first.choices[0]?.message
    expect(first.choices[0]?.finish_reason).toBe('tool_calls')
    expect(message?.tool_calls).toMatchObject([{ id: 'd1', function: { name: 'open_door', arguments: '{"n":1}' } }])
    const second = await openai.chat.completions.create({
      model,
      messages: [say('Open.'), message as never, { role: 'tool', tool_call_id: 'd1', content: 'creak' }],
      tools,
    })
    expect(second.choices[0]?.message.content).toBe('The door says creak.')
    const streamed = openai.chat.completions.stream({ model, messages: [say('Open.')], tools })
    const final = await streamed.finalChatCompletion()
    expect(final.choices[0]?.message.tool_calls).toMatchObject([
      { id: expect.any(String), function: { name: 'open_door' } },
    ])
  }
})

test('the AI SDK talks to an agent, with tools and streams, in both versions', async () => {
  const { baseURL, key } = await served(({ body }) => {
    const messages = body.messages as readonly { role: string; content: string }[]
    const names = ((body.tools ?? []) as readonly { function: { name: string } }[]).map((each) => each.function.name)
    if (messages.at(-1)?.role === 'tool' || !names.includes('weather')) return { text: 'Sunny and warm.' }
    return { toolCalls: [{ name: 'weather', arguments: { city: 'Paris' } }] }
  })
  const settings = { name: 'minions', baseURL, apiKey: key, includeUsage: true }
  const weather = tool({
    inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
    execute: async ({ city }) => `sun in ${city}`,
  })
  const model = createOpenAICompatible(settings)('helper')
  const generated = await generateText({ model, prompt: 'Paris?', tools: { weather }, stopWhen: stepCountIs(3) })
  expect(generated.text).toBe('Sunny and warm.')
  expect(generated.steps).toHaveLength(2)
  const streamed = streamText({ model, prompt: 'Paris?' })
  expect(await streamed.text).toBe('Sunny and warm.')
  expect((await streamed.usage).totalTokens).toBe(15)
  const old = await generateTextV6({ model: createV2(settings)('helper'), prompt: 'Paris?' })
  expect(old.text).toBe('Sunny and warm.')
})

test('errors keep their code and have a status that clients understand', async () => {
  const { openai, baseURL, key } = await served([{ fault: { status: 429, headers: { 'retry-after': '600' } } }])
  const ask = (model: string, extra: object = {}) =>
    openai.chat.completions.create({ model, messages: [say('?')], ...extra } as never)
  await expect(ask('nobody')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' })
  await expect(ask('default')).rejects.toMatchObject({ status: 429, code: 'MODEL_RATE_LIMITED' })
  await expect(ask('helper')).rejects.toMatchObject({ status: 429, code: 'MODEL_RATE_LIMITED' })
  await expect(ask('helper', { stream: true })).rejects.toMatchObject({ status: 429 })
  await expect(ask('helper', { n: 2 })).rejects.toMatchObject({ status: 400, param: 'n' })
  await expect(ask('helper', { messages: [] })).rejects.toMatchObject({ status: 400, param: 'messages' })
  const image = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }]
  await expect(ask('helper', { messages: image })).rejects.toMatchObject({ status: 400, param: 'messages[0].content' })
  const stranger = new OpenAI({ baseURL, apiKey: 'mk_wrong', maxRetries: 0 })
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  expect((await fetch(`${baseURL}/chat/completions`, { method: 'POST', headers, body: '{' })).status).toBe(400)
  expect((await fetch(`${baseURL}/chat/completions`, { headers })).status).toBe(400)
  expect((await fetch(`${baseURL}/else`, { headers })).status).toBe(404)
})

test('a key that may only read can list models and ask none', async () => {
  const { openai } = await served([{ text: 'no' }], ['read'])
  expect((await openai.models.list()).data).toHaveLength(2)
  const asking = openai.chat.completions.create({ model: 'helper', messages: [say('?')] })
  await expect(asking).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' })
})

test('an error in the middle of a stream reaches the client, and a client that leaves cancels the run', async () => {
  const { openai, app, provider } = await served([{ fault: 'cut' }, { fault: 'stalls' }])
  const cut = await openai.chat.completions.create({ model: 'helper', messages: [say('?')], stream: true })
  const reading = (async () => {
    for await (const _ of cut);
  })()
  await expect(reading).rejects.toThrow(/interrupted|failed/)
  const stalled = await openai.chat.completions.create({ model: 'helper', messages: [say('?')], stream: true })
  const closed = provider.nextAbort()
  for await (const part of stalled) if (part.choices[0]?.delta.content) break
  await closed
  await expect.poll(async () => (await app.skills.stats()).running).toBe(0)
  expect(await app.skills.executions({ status: 'pending' })).toEqual([])
})

test('a client that has left before the run begins cancels it too', async () => {
  const run = async (_onText: (piece: string) => void, signal: AbortSignal) => signal.throwIfAborted() as never
  const options = { includeUsage: false, signal: AbortSignal.abort(new Error('gone')) }
  const response = await streamResponse({ id: 'c1', created: 0, model: 'm' }, run, options)
  expect(response.ok).toBe(false)
})
