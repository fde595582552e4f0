import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type ChatMessage,
  createAgent,
  initWorkspace,
  type Model,
  openAiModel,
  SessionStore,
  Workspace,
} from '../src/index.js'
import { temporaryDirectory } from './temporary.js'

interface ChatRequest {
  readonly model: string
  readonly messages: ChatMessage[]
  readonly stream?: boolean
}

let server: Server | undefined
afterEach(() => server?.close())

/** A local server that speaks the OpenAI chat format: it repeats the last message in upper case. */
async function chatServer(
  status = 200,
): Promise<{ baseUrl: string; requests: ChatRequest[]; headers: IncomingMessage['headers'][] }> {
  const requests: ChatRequest[] = []
  const headers: IncomingMessage['headers'][] = []
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const chat = JSON.parse(body) as ChatRequest
    requests.push(chat)
    headers.push(request.headers)
    if (status !== 200) return void response.writeHead(status).end('{"error": {"message": "overloaded"}}')
    const reply = chat.messages.at(-1)?.content.toUpperCase() ?? ''
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
    if (!chat.stream) {
      return void response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: reply } }], usage }))
    }
    const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
    const text = [...reply].map((piece) => event({ choices: [{ delta: { content: piece } }] })).join('')
    // Cut in the middle of events and characters, as networks do.
    const bytes = Buffer.from(`: hello\n\n${text}${event({ choices: [], usage })}data: [DONE]\n\n`)
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7))
    response.end()
  })
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done))
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, headers }
}

async function setUp(model: Model) {
  const root = await temporaryDirectory()
  await initWorkspace(root)
  const workspace = new Workspace({ name: 'lab', root_path: root })
  const agent = createAgent('Assistant', { model })
  agent.setContext(workspace, { rootPath: root })
  const lines = async () => {
    const store = new SessionStore(root)
    const sessions = await store.list()
    return (await Promise.all(sessions.map((session) => store.read(session)))).flatMap(({ messages }) => messages)
  }
  return { root, workspace, agent, lines }
}

describe('against a server', () => {
  it('runs, keeps the session and goes on with it', async () => {
    const { baseUrl, requests, headers } = await chatServer()
    const { root, agent, workspace, lines } = await setUp(openAiModel({ baseUrl, model: 'test', apiKey: 'key' }))
    await writeFile(join(root, 'prompt/AGENTS.md'), 'version one')
    const first = await agent.run('hello')
    expect(first).toEqual({
      reply: 'HELLO',
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      sessionId: expect.any(String),
    })
    await writeFile(join(root, 'prompt/AGENTS.md'), 'version two')
    workspace.state.fresh = true
    expect((await agent.run('more')).sessionId).toBe(first.sessionId)
    expect(headers[0]).toMatchObject({ authorization: 'Bearer key' })
    expect(requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(requests[0]?.messages[0]?.content).toContain('version one')
    expect(requests[1]?.messages[0]?.content).toContain('version two')
    expect(requests[1]?.messages[0]?.content).toContain('- fresh')
    expect(requests[1]?.messages.slice(1)).toEqual([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'HELLO' },
      { role: 'user', content: 'more' },
    ])
    expect((await lines()).map(({ role, content }) => [role, content])).toEqual([
      ['user', 'hello'],
      ['assistant', 'HELLO'],
      ['user', 'more'],
      ['assistant', 'MORE'],
    ])
  })

  it('streams', async () => {
    const { baseUrl } = await chatServer()
    const { agent, lines } = await setUp(openAiModel({ baseUrl, model: 'test', stream: true }))
    const stream = agent.stream('größe')
    const pieces: string[] = []
    for await (const piece of stream) pieces.push(piece)
    expect(pieces).toEqual(['G', 'R', 'Ö', 'S', 'S', 'E'])
    expect(await stream.reply).toMatchObject({ reply: 'GRÖSSE', usage: { total_tokens: 5 } })
    expect((await lines()).map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('reports an error of the server and keeps the turn', async () => {
    const { baseUrl } = await chatServer(503)
    const { agent, lines } = await setUp(openAiModel({ baseUrl, model: 'test' }))
    await expect(agent.run('hello')).rejects.toMatchObject({ code: 'MODEL_FAILED', details: { status: 503 } })
    expect((await lines()).map(({ role, content }) => [role, content])).toEqual([
      ['user', 'hello'],
      ['error', expect.stringContaining('503')],
    ])
  })

  it('reports a server that is not there', async () => {
    const { agent, lines } = await setUp(openAiModel({ baseUrl: 'http://127.0.0.1:9', model: 'test' }))
    await expect(agent.run('hello')).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    expect(await lines()).toHaveLength(2)
  })
})

describe('models', () => {
  async function* pieces(...values: (string | { text?: string; usage?: Record<string, unknown> })[]) {
    yield* values
  }

  it.each<[string, Model, unknown]>([
    ['a text', () => 'hi', { reply: 'hi', usage: undefined }],
    ['a promise of a text', async () => 'hi', { reply: 'hi' }],
    ['text and usage', () => ({ text: 'hi', usage: { total: 1 } }), { reply: 'hi', usage: { total: 1 } }],
    ['content', async () => ({ content: 'hi' }), { reply: 'hi' }],
    ['a stream', () => pieces('h', { text: 'i' }, { usage: { total: 2 } }), { reply: 'hi', usage: { total: 2 } }],
    ['an empty stream', () => pieces(), { reply: '' }],
  ])('may give %s', async (_, model, expected) => {
    expect(await (await setUp(model)).agent.run('x')).toMatchObject(expected as object)
  })

  it.each<[string, Model]>([
    ['nothing', () => undefined as never],
    ['a number', () => 5 as never],
    ['an object without text', () => ({})],
    ['a stream of numbers', () => pieces(5 as never)],
    [
      'an exception',
      () => {
        throw new Error('down')
      },
    ],
    ['a rejection', () => Promise.reject('down')],
  ])('that give %s are reported, and the turn stays', async (_, model) => {
    const { agent, lines } = await setUp(model)
    await expect(agent.run('hello')).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    expect((await lines()).map(({ role }) => role)).toEqual(['user', 'error'])
  })

  it('that break off leave what came before in the session', async () => {
    const model: Model = async function* () {
      yield 'half'
      throw new Error('cut')
    }
    const { agent, lines } = await setUp(model)
    const seen: string[] = []
    const stream = agent.stream('hello')
    const reading = (async () => {
      for await (const piece of stream) seen.push(piece)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    await expect(stream.reply).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    expect(seen).toEqual(['half'])
    expect((await lines())[1]).toMatchObject({ role: 'error', meta: { partial: 'half' } })
  })
})

describe('cancelling', () => {
  it('stops waiting for a model that ignores the signal', async () => {
    const { agent, lines } = await setUp(() => new Promise<string>(() => undefined))
    const controller = new AbortController()
    const run = agent.run('hello', { signal: controller.signal })
    setTimeout(() => controller.abort(), 30)
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' })
    expect((await lines()).map(({ role }) => role)).toEqual(['user', 'error'])
  })

  it('before the run asks nobody', async () => {
    const { agent, lines } = await setUp(() => expect.unreachable())
    await expect(agent.run('hello', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await lines()).toEqual([])
  })

  it('by leaving the stream ends the model too', async () => {
    let ended = false
    const model: Model = async function* () {
      try {
        for (;;) yield 'x'
      } finally {
        ended = true
      }
    }
    const { agent, lines } = await setUp(model)
    const stream = agent.stream('hello')
    for await (const _ of stream) break
    await expect(stream.reply).rejects.toMatchObject({ code: 'ABORTED' })
    expect(ended).toBe(true)
    expect((await lines()).map(({ role }) => role)).toEqual(['user', 'error'])
  })
})

describe('contexts and sessions', () => {
  it('need a name, a model, a workspace and a text', async () => {
    expect(() => createAgent('', { model: () => '' })).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    expect(() => createAgent('x', {} as never)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    const agent = createAgent('x', { model: () => '' })
    await expect(agent.run('x')).rejects.toMatchObject({ code: 'NO_CONTEXT' })
    expect(() => agent.setContext(new Workspace({ name: 'w' }))).toThrow(
      expect.objectContaining({ code: 'NO_CONTEXT' }),
    )
    const { agent: ready } = await setUp(() => '')
    await expect(ready.run(5 as never)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('go on with a named session and give the model only its last messages', async () => {
    const seen: (readonly ChatMessage[])[] = []
    const model: Model = (messages) => {
      seen.push(messages)
      return 'ok'
    }
    const { root, workspace } = await setUp(model)
    for (const input of ['one', 'two']) {
      const agent = createAgent('x', { model, historyLimit: 1 })
      agent.setContext(workspace, { rootPath: root, sessionId: 'talk' })
      await agent.run(input)
    }
    expect(seen[1]?.slice(1)).toEqual([
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: 'two' },
    ])
    expect((await new SessionStore(root).list()).map(({ id }) => id)).toEqual(['talk'])
  })

  it('hold runs at once in one session', async () => {
    const { agent, lines } = await setUp(async (messages) => messages.at(-1)?.content ?? '')
    const replies = await Promise.all(['a', 'b', 'c'].map((input) => agent.run(input)))
    expect(new Set(replies.map(({ sessionId }) => sessionId)).size).toBe(1)
    expect(replies.map(({ reply }) => reply)).toEqual(['a', 'b', 'c'])
    expect(await lines()).toHaveLength(6)
  })
})
