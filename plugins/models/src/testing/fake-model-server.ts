import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { isRecord, type JsonObject } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { type FakeFault, sendFault } from './faults.js'

/**
 * A tool call that the server answers with. Arguments given as a string are sent as they are, even if they are not
 * JSON.
 */
export interface FakeToolCall {
  readonly id?: string
  readonly name: string
  readonly arguments: JsonObject | string
}

/** An answer of the server. */
export interface FakeReply {
  readonly text?: string
  readonly toolCalls?: readonly FakeToolCall[]
  /** 10 for the prompt and 5 for the answer by default; `null` reports none. */
  readonly usage?: { readonly prompt: number; readonly completion: number } | null
  /** Fails in this way. */
  readonly fault?: FakeFault
  /** Milliseconds before the answer begins. */
  readonly delayMs?: number
  /** Sends a stream in chunks of that many bytes, even in the middle of characters. */
  readonly chunkBytes?: number
}

/** A request as the server received it. */
export interface FakeRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: JsonObject
  /** Position of the request, from 0. */
  readonly index: number
}

export interface FakeModelServer {
  /** Base address, ending in `/v1`. */
  readonly url: string
  readonly requests: readonly FakeRequest[]
  /** Complete answers sent, without those that an idempotency key repeated. */
  readonly paid: number
  /** Connections that the client closed before the answer was complete. */
  readonly aborted: number
  /** Resolves once the client has closed a connection early. */
  nextAbort(): Promise<void>
  close(): Promise<void>
}

export interface FakeModelServerOptions {
  /** Answers in order, the last one repeatedly; or a function that decides. */
  readonly replies: readonly FakeReply[] | ((request: FakeRequest) => FakeReply | Promise<FakeReply>)
  /** 0, any free one, by default. */
  readonly port?: number
}

/** Starts a server on this machine that speaks the OpenAI-compatible protocol and fails on demand. */
export const startFakeModelServer = guarded('startFakeModelServer', startFakeModelServerUnchecked)

async function startFakeModelServerUnchecked({ replies, port = 0 }: FakeModelServerOptions): Promise<FakeModelServer> {
  const requests: FakeRequest[] = []
  const repeated = new Map<string, FakeReply>()
  const sockets = new Set<Socket>()
  const state = { paid: 0, aborted: 0, waiting: [] as (() => void)[] }

  const choose = (request: FakeRequest) =>
    typeof replies === 'function' ? replies(request) : (replies[request.index] ?? replies.at(-1) ?? {})

  const server = createServer(async (incoming, response) => {
    response.on('close', () => {
      if (response.writableFinished) return
      state.aborted++
      for (const resolve of state.waiting.splice(0)) resolve()
    })
    const body = await readJson(incoming)
    const request = { path: incoming.url ?? '', headers: incoming.headers, body, index: requests.length }
    requests.push(request)
    if (request.path.endsWith('/embeddings')) return sendEmbeddings(response, body)
    const key = String(incoming.headers['idempotency-key'] ?? '')
    const known = repeated.get(key)
    const reply = known ?? (await choose(request))
    if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs))
    if (reply.fault) return sendFault(response, reply.fault, body.stream === true)
    if (key !== '') repeated.set(key, reply)
    if (!known) state.paid++
    if (body.stream === true) await sendStream(response, reply, body)
    else sendJson(response, completion(reply, body))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get paid() {
      return state.paid
    },
    get aborted() {
      return state.aborted
    },
    nextAbort: () => new Promise((resolve) => state.waiting.push(resolve)),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const value: unknown = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())
  return isRecord(value) ? (value as JsonObject) : {}
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function usageOf({ usage }: FakeReply) {
  if (usage === null) return {}
  const { prompt, completion: answer } = usage ?? { prompt: 10, completion: 5 }
  return { usage: { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer } }
}

function callsOf({ toolCalls = [] }: FakeReply) {
  return toolCalls.map(({ id, name, arguments: given }, index) => ({
    index,
    id: id ?? `call_${index}`,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }))
}

function completion(reply: FakeReply, body: JsonObject): object {
  const calls = callsOf(reply)
  const message = { role: 'assistant', content: reply.text ?? null, ...(calls.length > 0 && { tool_calls: calls }) }
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
  return {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 0,
    model: body.model,
    choices: [{ index: 0, message, finish_reason }],
    ...usageOf(reply),
  }
}

async function sendStream(response: ServerResponse, reply: FakeReply, body: JsonObject): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const event = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 0, model: body.model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const calls = callsOf(reply)
  const words = (reply.text ?? '').split(/(?<= )/u).filter((word) => word !== '')
  const events = [
    event({ role: 'assistant', content: '' }),
    ...words.map((content) => event({ content })),
    ...calls.map((call) => event({ tool_calls: [call] })),
    event({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    `data: ${JSON.stringify({ id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 0, model: body.model, choices: [], ...usageOf(reply) })}\n\n`,
    'data: [DONE]\n\n',
  ]
  const bytes = Buffer.from(events.join(''))
  const size = reply.chunkBytes ?? bytes.length
  for (let start = 0; start < bytes.length; start += size) {
    response.write(bytes.subarray(start, start + size))
    if (size < bytes.length) await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

/** Vectors of two numbers: the length of the text, and one. */
function sendEmbeddings(response: ServerResponse, { input, model }: JsonObject): void {
  const texts = Array.isArray(input) ? (input as readonly string[]) : [String(input)]
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 1] }))
  sendJson(response, {
    object: 'list',
    model,
    data,
    usage: { prompt_tokens: texts.length, total_tokens: texts.length },
  })
}
