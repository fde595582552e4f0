import { type Clock, generateId, isMinionsError, messageOf } from '@minions/core'
import { type AgentRunner, guarded, guardMethods, readClock, takeOptions } from '@minions/core/plugin'
import { ContextBuilder } from '../context/context-builder.js'
import { workspaceError } from '../errors.js'
import type { Workspace } from '../graph/workspace.js'
import { type Session, type SessionMessage, SessionStore } from '../memory/session-store.js'
import { type AgentStream, agentStream } from './agent-stream.js'
import { type Conversation, type ConversationParts, converse } from './converse.js'
import { converseByRunner } from './converse-by-runner.js'
import type { ChatMessage, Model, Usage } from './model.js'
import type { AgentTool } from './tool.js'

const HISTORY_LIMIT = 100
const MAX_TOOL_ROUNDS = 25

export interface AgentOptions {
  readonly model: Model
  readonly contextBuilder?: ContextBuilder
  /** Number of earlier messages of the session passed to the model. Default: 100. */
  readonly historyLimit?: number
  /** The tools the model may call. */
  readonly tools?: readonly AgentTool[]
  /** Maximum number of tool rounds in one run. Default: 25. */
  readonly maxToolRounds?: number
  readonly clock?: Clock
}

/** An agent whose turns are run by the app's agent runner. */
export interface RunnerOptions extends Omit<AgentOptions, 'model'> {
  readonly runner: AgentRunner
}

export interface AgentContextOptions {
  /** The folder of the workspace. Default: its `root_path`. */
  readonly rootPath?: string | null
  /** Continue a session instead of starting one. */
  readonly sessionId?: string
}

export interface RunOptions {
  readonly signal?: AbortSignal
}

export interface AgentReply {
  readonly reply: string
  /** Usage as reported by the model, if any. */
  readonly usage: Usage | undefined
  readonly sessionId: string
}

interface AgentContext {
  readonly workspace: Workspace
  readonly root: string
  readonly store: SessionStore
  session: Promise<Session> | undefined
  readonly sessionId: string | undefined
}

/** Creates an agent that talks to `model`. Give it a workspace with `setContext` before it runs. */
export const createAgent = guarded('createAgent', (name: string, options: AgentOptions): Agent => {
  return new Agent(name, options)
})

/** Talks to a model on behalf of a workspace and keeps the conversation in a session file. */
export class Agent {
  readonly name: string
  readonly #options: AgentOptions | RunnerOptions
  readonly #builder: ContextBuilder
  #context: AgentContext | undefined

  constructor(name: string, options: AgentOptions | RunnerOptions) {
    const taken = takeOptions('The options of an agent', options)
    const isRunnable = 'runner' in taken || typeof taken.model === 'function'
    if (typeof name !== 'string' || name === '' || !isRunnable) {
      throw workspaceError('VALIDATION_FAILED', 'An agent needs a name and a model: createAgent(name, { model }).')
    }
    this.name = name
    this.#options = taken
    this.#builder = taken.contextBuilder ?? new ContextBuilder()
  }

  /** Attaches a workspace. The session starts with the first run, unless one is named. */
  setContext(workspace: Workspace, options: AgentContextOptions = {}): void {
    const root = options.rootPath ?? workspace.root_path
    if (typeof root !== 'string') {
      const message = `The workspace "${workspace.name}" has no folder. Pass rootPath to setContext.`
      throw workspaceError('NO_CONTEXT', message)
    }
    const store = new SessionStore(root, this.#options)
    this.#context = { workspace, root, store, session: undefined, sessionId: options.sessionId }
  }

  /**
   * Sends the input to the model and resolves to its reply. The user's turn is in the session before the model is
   * called. Throws `MODEL_FAILED` or `ABORTED`, which the session records.
   */
  async run(input: string, options: RunOptions = {}): Promise<AgentReply> {
    const turn = this.#turn(input, options.signal)
    for (;;) {
      const step = await turn.next()
      if (step.done) return step.value
    }
  }

  /** The same, as chunks of text as they arrive; `reply` of the stream resolves when it has been read to the end. */
  stream(input: string, options: RunOptions = {}): AgentStream {
    return agentStream(this.#turn(input, options.signal))
  }

  async *#turn(input: string, signal: AbortSignal | undefined): AsyncGenerator<string, AgentReply> {
    const context = this.#context
    if (!context) throw workspaceError('NO_CONTEXT', `Agent "${this.name}" has no workspace. Call setContext first.`)
    if (typeof input !== 'string') throw workspaceError('VALIDATION_FAILED', 'The input of an agent must be a string.')
    if (signal?.aborted) throw failure(this.name, signal.reason, signal)
    const session = await this.#session(context)
    const history = await this.#history(context, session)
    const turn = generateId()
    const { clock } = this.#options
    const note = (role: string, content: string, meta: Record<string, unknown> = {}) => {
      const line = { timestamp: readClock(clock), session_id: session.id, role, content, meta: { turn, ...meta } }
      return context.store.append(session, line)
    }
    await note('user', input)

    const said: Conversation = { reply: '', usage: undefined }
    let ended = false
    let problem: Error | undefined
    try {
      const system = await this.#builder.build(context.workspace, context.root, { ...(clock && { now: clock }) })
      const messages: ChatMessage[] = [
        { role: 'system', content: system },
        ...history,
        { role: 'user', content: input },
      ]
      const { tools = [], maxToolRounds = MAX_TOOL_ROUNDS } = this.#options
      const parts: Omit<ConversationParts, 'model'> = {
        tools,
        maxToolRounds,
        signal,
        note: ({ name, arguments: given }, result) => note('tool', result, { tool: name, arguments: given }),
      }
      if ('runner' in this.#options) yield* converseByRunner(this.#options.runner, this.name, messages, parts, said)
      else yield* converse(messages, { ...parts, model: this.#options.model }, said)
      ended = true
    } catch (cause) {
      problem = failure(this.name, cause, signal)
      throw problem
    } finally {
      // Also when the reader of a stream stops early. The original error counts, not one from recording it.
      if (!ended)
        await note('error', problem?.message ?? 'The reader stopped.', { partial: said.reply }).catch(() => undefined)
    }
    await note('assistant', said.reply, said.usage ? { usage: said.usage } : {})
    return { ...said, sessionId: session.id }
  }

  async #session(context: AgentContext): Promise<Session> {
    context.session ??= beginSession(context)
    try {
      return await context.session
    } catch (error) {
      context.session = undefined
      throw error
    }
  }

  async #history(context: AgentContext, session: Session): Promise<ChatMessage[]> {
    const { messages } = await context.store.read(session)
    const limit = this.#options.historyLimit ?? HISTORY_LIMIT
    return limit > 0
      ? messages
          .filter(isChat)
          .slice(-limit)
          .map(({ role, content }) => ({ role, content }))
      : []
  }
}

guardMethods(Agent, { callsBack: ['run', 'stream'] })

async function beginSession({ store, sessionId }: AgentContext): Promise<Session> {
  if (sessionId === undefined) return store.create()
  const found = (await store.list()).find(({ id }) => id === sessionId)
  return found ?? store.create(sessionId)
}

function isChat(message: SessionMessage): message is SessionMessage & ChatMessage {
  return (message.role === 'user' || message.role === 'assistant') && typeof message.content === 'string'
}

function failure(name: string, cause: unknown, signal: AbortSignal | undefined): Error {
  if (signal?.aborted) return workspaceError('ABORTED', `The run of agent "${name}" was cancelled.`, { cause })
  if (isMinionsError(cause)) return cause
  const reason = messageOf(cause)
  return workspaceError('MODEL_FAILED', `The model of agent "${name}" failed: ${reason}`, {
    details: { agent: name },
    cause,
  })
}
