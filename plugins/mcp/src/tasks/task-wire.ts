import { isMinionsError } from '@minions/core'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { McpCall } from '../door/mcp-call.js'
import type { TaskKind, TaskStarted, TaskState } from './task.js'

/** Milliseconds after which clients should poll again. */
const POLL_INTERVAL_MS = 1000

/** The tasks extension on the wire: ids that name the kind, questions under sealed names, results inlined. */
export class TaskWire {
  readonly #kinds: ReadonlyMap<string, TaskKind>

  constructor(kinds: readonly TaskKind[]) {
    this.#kinds = new Map(kinds.map((each) => [each.kind, each]))
  }

  /** Answer to a call whose work continues. Throws unless the client supports tasks. */
  async created({ task: { kind, id } }: TaskStarted, call: McpCall): Promise<Record<string, unknown>> {
    call.requireTasks()
    const taskId = wireId(kind, id)
    // Questions and outcomes are returned by `tasks/get`.
    const { questions: _questions, result: _result, error: _error, ...state } = await this.#state(taskId, call)
    return { resultType: 'task', taskId, ...state, pollIntervalMs: POLL_INTERVAL_MS }
  }

  async get(taskId: string, call: McpCall): Promise<Record<string, unknown>> {
    call.requireTasks()
    const { questions, ...state } = await this.#state(taskId, call)
    const inputRequests =
      questions &&
      Object.fromEntries(
        Object.entries(questions).map(([name, question]) => [call.seal.close(name, sealedFor(taskId, call)), question]),
      )
    return { taskId, ...state, pollIntervalMs: POLL_INTERVAL_MS, ...(inputRequests && { inputRequests }) }
  }

  /** Takes answers. Names that are not open questions of this task are ignored. */
  async update(
    taskId: string,
    responses: Readonly<Record<string, unknown>>,
    call: McpCall,
  ): Promise<Record<string, unknown>> {
    call.requireTasks()
    const { kind, id } = this.#find(taskId)
    await this.#state(taskId, call)
    for (const [name, response] of Object.entries(responses)) {
      const question = call.seal.open(name, sealedFor(taskId, call))
      if (question !== undefined) await known(async () => kind.answer?.(id, question, response, call))
    }
    return {}
  }

  async cancel(taskId: string, call: McpCall): Promise<Record<string, unknown>> {
    call.requireTasks()
    const { kind, id } = this.#find(taskId)
    await this.#state(taskId, call)
    await known(() => kind.cancel(id, call))
    return {}
  }

  async #state(taskId: string, call: McpCall): Promise<TaskState> {
    const { kind, id } = this.#find(taskId)
    const state = await known(() => kind.get(id, call))
    if (!state) throw unknownTask(taskId)
    return state
  }

  #find(taskId: string) {
    const [name = '', body = ''] = taskId.split('~')
    const kind = this.#kinds.get(name)
    if (!kind) throw unknownTask(taskId)
    return { kind, id: Buffer.from(body, 'base64url').toString() }
  }
}

function wireId(kind: string, id: string): string {
  return `${kind}~${Buffer.from(id).toString('base64url')}`
}

/** A question can only be answered by the person who was asked, for its task. */
function sealedFor(taskId: string, { caller }: McpCall): string[] {
  return ['question', taskId, caller.by, caller.tenant ?? '']
}

/** A refusal about a task is a client error. */
async function known<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isMinionsError(error)) throw invalid(`${error.code}: ${error.message}`, { code: error.code })
    throw error
  }
}

function unknownTask(taskId: string): Error {
  return invalid(`There is no task "${taskId.slice(0, 200)}"`)
}

function invalid(message: string, data?: object): Error {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data)
}
