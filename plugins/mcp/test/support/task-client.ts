import { TASKS_EXTENSION } from '../../src/index.ts'

/** A task as the wire has it. */
interface WireTask {
  readonly taskId: string
  readonly status: string
  readonly statusMessage?: string
  readonly ttlMs: number | null
  readonly result?: { readonly structuredContent?: Record<string, unknown>; readonly isError?: boolean }
  readonly inputRequests?: Readonly<Record<string, { readonly method: string; readonly params: object }>>
}

type Answer = (request: Request) => Promise<Response>

const CAPABILITIES = { elicitation: { form: {} }, extensions: { [TASKS_EXTENSION]: {} } }

/** A client that takes tasks, which the official one does not yet: plain requests of the revision 2026-07-28. */
export class TaskClient {
  readonly #answer: Answer
  readonly #url: string
  readonly #key: string

  constructor(answer: Answer, url: string, key: string) {
    this.#answer = answer
    this.#url = url
    this.#key = key
  }

  async request(method: string, params: Record<string, unknown>): Promise<WireTask> {
    const name = params.name ?? params.taskId
    const headers = {
      Authorization: `Bearer ${this.#key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': name }),
    }
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })
    const response = await this.#answer(new Request(this.#url, { method: 'POST', headers, body }))
    const { result, error } = (await response.json()) as {
      result: WireTask
      error?: { code: number; message: string; data: unknown }
    }
    if (error) throw Object.assign(new Error(error.message), { code: error.code, data: error.data })
    return result
  }

  call(name: string, input: object): Promise<WireTask> {
    return this.request('tools/call', { name, arguments: input })
  }

  get(taskId: string): Promise<WireTask> {
    return this.request('tasks/get', { taskId })
  }

  update(taskId: string, inputResponses: object): Promise<WireTask> {
    return this.request('tasks/update', { taskId, inputResponses })
  }

  cancel(taskId: string): Promise<WireTask> {
    return this.request('tasks/cancel', { taskId })
  }

  /** The task once it works no more. */
  settled(taskId: string): Promise<WireTask> {
    return this.until(taskId, ({ status }) => status !== 'working')
  }

  /** The task once this holds for it. */
  async until(taskId: string, holds: (task: WireTask) => boolean): Promise<WireTask> {
    for (;;) {
      const task = await this.get(taskId)
      if (holds(task)) return task
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
