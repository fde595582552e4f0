import type { Clock } from '@minions/core'
import { type OperationRef, operationRef } from '@minions/core/operations'
import { readMillis, tokens } from '@minions/core/plugin'
import { defineRoutes, type RouteContext } from '@minions/server/plugin'
import { Type } from 'typebox'
import { modelsError } from '../errors.js'
import { type ChatRequest, readChatRequest } from './chat-request.js'
import { type Completion, completionBody } from './chat-response.js'
import { errorResponse } from './error-response.js'
import { streamResponse } from './stream-response.js'

/** An entry of the list of models: an agent, or a role of the models. */
interface Offer {
  readonly id: string
  readonly owned_by: 'agents' | 'models'
}

const PATH = '/v1'

const Completed = Type.Unsafe<Completion>({ type: 'object', required: ['text', 'finish', 'usage'] })
const agentAnswer = operationRef('agents.ask', Completed)
const modelAnswer = operationRef('models.complete', Completed)
const offeredAgents = operationRef('agents.offered', Type.Array(Type.Object({ name: Type.String() })))
const listedModels = operationRef('models.list', Type.Array(Type.Object({ role: Type.String() })))

/** `/v1/chat/completions` and `/v1/models`, through which any OpenAI client talks to agents and models of the app. */
export const chatRoutes = defineRoutes({
  path: PATH,
  deps: { clock: tokens.clock },
  async handle(request, { clock }, context) {
    try {
      return await answer(request, clock, context)
    } catch (error) {
      return errorResponse(error)
    }
  },
})

async function answer(request: Request, clock: Clock, context: RouteContext): Promise<Response> {
  const { pathname } = new URL(request.url)
  const created = Math.floor(readMillis(clock) / 1000)
  if (pathname === `${PATH}/chat/completions`) {
    requireMethod(request, 'POST')
    return complete(request, created, context)
  }
  if (pathname === `${PATH}/models` || pathname.startsWith(`${PATH}/models/`)) {
    requireMethod(request, 'GET')
    const offers = (await offersOf(context)).map((offer) => ({ ...offer, object: 'model', created }))
    if (pathname === `${PATH}/models`) return Response.json({ object: 'list', data: offers })
    const id = decodeURIComponent(pathname.slice(`${PATH}/models/`.length))
    const found = offers.find((offer) => offer.id === id)
    if (found) return Response.json(found)
    throw unknownModel(id)
  }
  throw modelsError('NOT_FOUND', `There is nothing at ${pathname.slice(0, 200)}; use ${PATH}/chat/completions.`)
}

async function complete(request: Request, created: number, context: RouteContext): Promise<Response> {
  const chat = readChatRequest(await readJson(request))
  const offer = (await offersOf(context)).find(({ id }) => id === chat.model)
  if (!offer) throw unknownModel(chat.model)
  const heading = { id: `chatcmpl-${context.requestId}`, created, model: chat.model }
  const [operation, input] = offer.owned_by === 'agents' ? askAgent(chat) : askModel(chat)
  const run = (signal: AbortSignal, onText?: (piece: string) => void) =>
    context.run(operation, input, { signal, onProgress: ({ message = '' }) => onText?.(message) })
  if (!chat.stream) return Response.json(completionBody(heading, await run(request.signal)))
  const { includeUsage } = chat
  return streamResponse(heading, (onText, signal) => run(signal, onText), { includeUsage, signal: request.signal })
}

function askAgent({ model, messages, tools }: ChatRequest): readonly [OperationRef<Completion>, object] {
  return [agentAnswer, { agent: model, messages, ...(tools.length > 0 && { tools }) }]
}

function askModel({
  model,
  includeUsage: _,
  tools,
  ...chat
}: ChatRequest): readonly [OperationRef<Completion>, object] {
  return [modelAnswer, { ...chat, role: model, ...(tools.length > 0 && { tools }) }]
}

/** Agents and roles that the caller may use; an agent takes precedence over a role of the same name. */
async function offersOf(context: RouteContext): Promise<Offer[]> {
  const allowed = new Set(context.operations().map(({ name }) => name))
  const agents = allowed.has(offeredAgents.name) ? await context.run(offeredAgents, {}) : []
  const models = allowed.has(listedModels.name) ? await context.run(listedModels, {}) : []
  const offers: Offer[] = [
    ...agents.map(({ name }) => ({ id: name, owned_by: 'agents' as const })),
    ...models.flatMap(({ role }) => (role === 'embedding' ? [] : [{ id: role, owned_by: 'models' as const }])),
  ]
  return offers.filter(({ id }, index) => offers.findIndex((offer) => offer.id === id) === index)
}

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch {
    throw modelsError('VALIDATION_FAILED', 'The body is not JSON.', { details: { param: 'body' } })
  }
}

function requireMethod({ method }: Request, needed: string): void {
  if (method === needed) return
  throw modelsError('VALIDATION_FAILED', `${method} is not allowed here; use ${needed}.`)
}

function unknownModel(id: string): Error {
  return modelsError(
    'NOT_FOUND',
    `There is no model or agent ${JSON.stringify(id.slice(0, 100))}; see GET ${PATH}/models.`,
  )
}
