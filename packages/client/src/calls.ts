import { cancelled, isMinionsError, MinionsError } from './errors.js'
import { readEvents } from './server-sent-events.js'
import { invalid, takeOptions, takeSignal, takeText, toJson } from './take.js'
import { errorOf, jsonOf, type Sent, streamOf, type Transport } from './transport.js'
import type { CallOptions, Progress, Run, RunHandle } from './types.js'

/** Milliseconds for which one request waits for the end of a run. */
const WAIT = 30_000

interface Page {
  readonly items?: readonly unknown[]
  readonly nextCursor?: string
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

export class Calls {
  readonly #transport: Transport
  readonly #tenant: string | undefined

  constructor(transport: Transport, tenant: string | undefined) {
    this.#transport = transport
    this.#tenant = tenant
  }

  /** The result of an operation, however long it takes. */
  async call(name: string, input: unknown = {}, given: CallOptions = {}): Promise<unknown> {
    const options = withKey(given)
    if (options.onProgress) return this.#follow(name, input, options, options.onProgress)
    const { status, body } = await this.#post(name, input, options)
    return status === 202 ? this.run((body as Run).id, options).result(options) : body
  }

  async start(name: string, input: unknown = {}, given: CallOptions = {}): Promise<RunHandle<unknown>> {
    const options = withKey(given)
    const { status, body } = await this.#post(name, input, options, { prefer: 'respond-async' })
    return status === 202 ? this.run((body as Run).id, options) : endedRun(name, body)
  }

  /** All pages of an operation, starting with the one that the input names. */
  async *pages(name: string, input: object = {}, options?: CallOptions): AsyncGenerator<unknown, void, undefined> {
    let cursor: string | undefined
    do {
      const asked = cursor === undefined ? input : { ...takeOptions('The input of an operation', input), cursor }
      const page = (await this.call(name, asked, options)) as Page
      yield page
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }

  async *iterate(name: string, input?: object, options?: CallOptions): AsyncGenerator<unknown, void, undefined> {
    for await (const page of this.pages(name, input, options)) yield* (page as Page).items ?? []
  }

  run(id: string, options: CallOptions = {}): RunHandle<unknown> {
    const { tenant } = takeCallOptions(options)
    takeText('The id of a run', id)
    const ask = async (name: string, input: object, signal?: AbortSignal) =>
      (await this.#post(name, { id, ...input }, { tenant, signal })).body as Run
    return {
      id,
      get: () => ask('runs.get', {}),
      cancel: () => ask('runs.cancel', {}),
      async result(waiting) {
        const { signal } = takeCallOptions(waiting)
        for (;;) {
          const run = await ask('runs.get', { wait: WAIT }, signal)
          if (run.status === 'succeeded') return run.result
          if (run.status !== 'running') throw errorOf(run.error ?? { code: 'CANCELLED', message: 'The run ended.' })
        }
      },
    }
  }

  #post(name: string, input: unknown, options: CallOptions, headers?: Record<string, string>): Promise<Answer> {
    const read = async (response: Response) => ({ status: response.status, body: await jsonOf(response) })
    return this.#transport.send(this.#request(name, input, options, headers), read)
  }

  #request(name: string, input: unknown, options: CallOptions, headers: Record<string, string> = {}): Sent {
    const { signal, tenant = this.#tenant, idempotencyKey } = options
    return {
      path: `/api/operations/${encodeURIComponent(takeText('The name of an operation', name) ?? '')}`,
      body: toJson(input),
      headers: { ...headers, 'minions-tenant': tenant, 'idempotency-key': idempotencyKey },
      signal,
    }
  }

  /** Makes a call as a stream of events; if the stream is cut, the run is followed, or the call repeated. */
  async #follow(
    name: string,
    input: unknown,
    options: CallOptions,
    onProgress: (progress: Progress) => void,
  ): Promise<unknown> {
    const request = this.#request(name, input, options, { accept: 'text/event-stream' })
    const stream = await this.#transport.send(request, streamOf)
    let run: string | undefined
    try {
      for await (const { event, data } of readEvents(stream)) {
        const value = JSON.parse(data)
        if (event === 'run') run = value.id
        else if (event === 'progress') onProgress(value)
        else if (event === 'result') return value
        else if (event === 'problem') throw errorOf(value)
      }
      throw new MinionsError('STREAM_CUT', 'The server ended the stream before the operation ended; repeat the call.')
    } catch (error) {
      if (isMinionsError(error) && error.code !== 'STREAM_CUT') throw error
      if (options.signal?.aborted) throw cancelled(options.signal)
      // The server does not start it again, because the key is the same.
      return run === undefined
        ? this.call(name, input, { ...options, onProgress: undefined })
        : this.run(run, options).result(options)
    }
  }
}

function takeCallOptions(options: CallOptions | undefined): CallOptions {
  const taken = takeOptions('The options of a call', options)
  takeText('The tenant', taken.tenant)
  takeText('The idempotency key', taken.idempotencyKey)
  const { signal, onProgress } = taken
  takeSignal(signal)
  if (onProgress !== undefined && typeof onProgress !== 'function') throw invalid('`onProgress` must be a function.')
  return taken
}

/** The same with an idempotency key. Pages that are neither on HTTPS nor on this machine have no `randomUUID`. */
function withKey(given: CallOptions): CallOptions {
  const options = takeCallOptions(given)
  if (options.idempotencyKey !== undefined) return options
  const random = crypto.getRandomValues(new Uint8Array(16))
  return { ...options, idempotencyKey: Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('') }
}

/** The operation ended before it became a run. */
function endedRun(operation: string, result: unknown): RunHandle<unknown> {
  const now = new Date().toISOString()
  const run: Run = { id: '', operation, status: 'succeeded', result, createdAt: now, endedAt: now }
  return { id: '', get: async () => run, cancel: async () => run, result: async () => result }
}
